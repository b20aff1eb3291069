import { registerReads } from '#server/workers/read-work.ts';
import * as suggestions from './suggestions.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const suggestValues = inWorker(suggestions.suggestValues);
