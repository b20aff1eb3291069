import { parentPort, workerData } from 'node:worker_threads';
import type { IndexThreadData } from './index-thread.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/* The thread of `IndexThread`, which creates the indexes of one table of a SQLite database. */

/** How long it waits for another process that writes to the same database, in milliseconds. */
const MAX_WAIT = 30_000;

const { path, warmUp }: IndexThreadData = workerData;
const connection = await SqliteConnection.open(path, 'writer');
connection.rowsOf(warmUp, []);
connection.run(`PRAGMA busy_timeout = ${MAX_WAIT}`);
// A checkpoint is no part of the commit, for which others wait.
connection.run('PRAGMA wal_autocheckpoint = 0');
parentPort?.on('message', (create: string | null) => {
  if (create === null) {
    connection.close();
    parentPort?.close();
    return;
  }
  connection.run(create);
  parentPort?.postMessage('created');
  connection.run('PRAGMA wal_checkpoint(PASSIVE)');
});
parentPort?.postMessage('ready');
