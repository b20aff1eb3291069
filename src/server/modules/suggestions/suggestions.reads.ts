import { registerReads } from '#server/workers/read-work.ts';
import { suggestValues } from './suggestions.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const suggestValuesInWorker = inWorker(suggestValues);
