import { registerReads } from '#server/workers/read-work.ts';
import * as lists from './documents-lists.ts';

const { jsonInWorker } = registerReads(import.meta.url);

export const indexPage = jsonInWorker(lists.indexPage);
export const documentsPage = jsonInWorker(lists.documentsPage);
export const revisionIds = jsonInWorker(lists.revisionIds);
