import { parentPort } from 'node:worker_threads';
import { extractText } from './extract-text.ts';
import type { Extracted } from './file-texts.ts';

/* The thread in which `TextExtractor` reads files, one after the other. */

/** A file to be read. */
export interface TextTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

parentPort?.on('message', async ({ bytes, contentType }: TextTask) => {
  const extracted: Extracted = await extractText(bytes, contentType);
  parentPort?.postMessage(extracted, []);
});
