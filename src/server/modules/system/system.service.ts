import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { readBuildInfo } from '#server/build-info.ts';
import type { Config } from '#server/config.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { System } from '#shared/contract/system-answers.ts';
import { countAll } from '../collections/collections.service.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { ScannerState } from '../files/malware-scanner.ts';
import { readLastPosition } from '../history/history.service.ts';
import { measureFiles, readDailySizes, writeDailySize } from './daily-sizes.store.ts';

const MAX_DAYS = 366;

/** The information about the installation for administrators, read in a few milliseconds. */
export async function describeSystem(
  db: Transaction,
  definitions: Definitions,
  config: Config,
  malwareScanner: ScannerState | null,
): Promise<System> {
  const { version, commit, schema } = readBuildInfo();
  return {
    version,
    commit,
    node: process.versions.node,
    schemaVersion: schema,
    process: {
      host: hostname(),
      pid: process.pid,
      startedAt: isoTime(Date.now() - performance.now()),
    },
    database: await db.adapter.readEngine(db),
    ...(await countContent(db, definitions)),
    sizes: await readDailySizes(db, MAX_DAYS),
    malwareScanner,
    settings: [...config.inEffect],
  };
}

/** Stores the size of the installation today. */
export async function measureToday(database: Database, definitions: Definitions): Promise<void> {
  const size = await database.read(async (db) => {
    const { bytes: databaseBytes } = await db.adapter.readEngine(db);
    const { documents, datasets, historyEntries } = await countContent(db, definitions);
    return { databaseBytes, ...(await measureFiles(db)), documents, datasets, historyEntries };
  });
  const day = new Date().toISOString().slice(0, 10);
  await database.write((db) => writeDailySize(db, { day, ...size }));
}

async function countContent(db: Transaction, definitions: Definitions) {
  const archives = await definitions.archives(db);
  const tables = await definitions.tables(db);
  let [documents, datasets] = [0, 0];
  for (const archive of archives) documents += await countAll(db, archive);
  for (const table of tables) datasets += await countAll(db, table);
  return {
    archives: archives.length,
    tables: tables.length,
    documents,
    datasets,
    historyEntries: await readLastPosition(db),
  };
}
