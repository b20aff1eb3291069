import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { verifyPart, type Part, type VerificationOptions } from './verification-parts.ts';

/*
 * The thread in which `verification.service.ts` verifies one part.
 */

export type PartMessage =
  | { readonly kind: 'progress' | 'info' | 'fail'; readonly text: string }
  | { readonly kind: 'done'; readonly found: number };

const data: {
  readonly part: Part;
  readonly config: DatabaseConfig;
  readonly options: VerificationOptions;
} = workerData;

/** Interval between progress messages, in milliseconds. */
const PROGRESS_INTERVAL = 100;
let lastProgress = 0;

const send = (message: PartMessage) => {
  parentPort?.postMessage(message);
};
const database = await openDatabase(data.config, { access: 'read' });
try {
  const found = await verifyPart(
    data.part,
    { database, files: null, options: data.options },
    {
      progress(text) {
        if (performance.now() - lastProgress < PROGRESS_INTERVAL) return;
        lastProgress = performance.now();
        send({ kind: 'progress', text });
      },
      info: (text) => send({ kind: 'info', text }),
      fail: (text) => send({ kind: 'fail', text }),
    },
  );
  send({ kind: 'done', found });
} finally {
  await database.close();
}
