import * as database from '#server/database/records/list-records.ts';
import { registerReads } from '#server/workers/read-work.ts';
import * as options from './list-options.service.ts';
import * as lists from './lists.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const listCount = inWorker(lists.listCount);
export const listOptions = inWorker(options.listOptions);
export const readIds = inWorker(database.readIds);
export const countRecords = inWorker(database.countRecords);
