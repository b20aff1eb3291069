import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { IndexBuild } from '#server/database/sqlite/index-thread.ts';
import { SqliteConnection } from '#server/database/sqlite/sqlite-connection.ts';

/* The thread in which `createIndexInThread` creates one index of a SQLite database. */

/** How long it waits for another process that writes to the same database, in milliseconds. */
const MAX_WAIT = 30_000;

const { path, warmUp, create }: IndexBuild = workerData;
const port = parentPort;
if (!port) throw new Error('This module runs in a thread.');
const connection = await SqliteConnection.open(path, 'writer');
try {
  connection.rowsOf(warmUp, []);
  const order = once(port, 'message');
  port.postMessage('ready');
  await order;
  connection.run(`PRAGMA busy_timeout = ${MAX_WAIT}`);
  connection.run(create);
} finally {
  connection.close();
  port.close();
}
