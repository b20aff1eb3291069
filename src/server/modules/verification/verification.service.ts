import { Worker } from 'node:worker_threads';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { threadFile } from '#server/workers/thread-file.ts';
import { countEntries } from './chain.store.ts';
import type { CheckedFiles } from './files-check.ts';
import type { VerificationReport } from './verification-findings.ts';
import { PARTS, verifyPart, type Part, type VerificationOptions } from './verification-parts.ts';
import type { PartMessage } from './part-worker.ts';

export { headOf, readHead } from './chain-check.ts';
export { formatHead, parseHead } from './chain-head.ts';
export type { CheckedFiles } from './files-check.ts';
export { type VerificationReport } from './verification-findings.ts';
export type { VerificationOptions } from './verification-parts.ts';

/** The parts that run in their own threads: rows are hashed, and SQLite computes, in the calling thread. */
const IN_THREADS: readonly Part[] = ['database', 'chain'];
/** With fewer entries starting a thread takes longer than its work. */
const MIN_ENTRIES_FOR_THREADS = 50_000;

/** Whether the history is so long that its verification in threads takes less time. */
export async function shouldUseThreads(database: Database): Promise<boolean> {
  return (await database.read(countEntries)) >= MIN_ENTRIES_FOR_THREADS;
}

/**
 * Checks that the database is intact, that the history was not changed outside of the service, and that records, users,
 * definitions and files match the history. Each part reads one snapshot, so the service may write meanwhile. Only pages
 * are in memory.
 * @param database opened for this: SQLite reports the search index as damaged if its connection has checked an older
 * snapshot of it before
 * @param config the same database, for threads
 * @returns the number of findings
 */
export async function verifyInstallation(
  database: Database,
  config: DatabaseConfig,
  files: CheckedFiles,
  options: VerificationOptions,
  report: VerificationReport,
): Promise<number> {
  const inThreads = options.usesThreads ? IN_THREADS : [];
  const verifyOthers = async () => {
    let found = 0;
    for (const part of PARTS.filter((candidate) => !inThreads.includes(candidate))) {
      found += await verifyPart(part, { database, files, options }, report);
    }
    return found;
  };
  const counts = await Promise.all([
    verifyOthers(),
    ...inThreads.map((part) => verifyInThread(part, config, options, report)),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

const WORKER = threadFile(import.meta, './part-worker');

function verifyInThread(
  part: Part,
  config: DatabaseConfig,
  options: VerificationOptions,
  report: VerificationReport,
): Promise<number> {
  const { dataDir, databaseUrl } = config;
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, {
      workerData: { part, config: { dataDir, databaseUrl }, options },
      execArgv: [],
    });
    worker.on('message', (message: PartMessage) => {
      if (message.kind === 'done') resolve(message.found);
      else report[message.kind](message.text);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error(`The verification of the ${part} ended early.`)));
  });
}
