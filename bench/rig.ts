import { join } from 'node:path';
import * as z from 'zod';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { allCounted, type SignedIn } from './service-calls.ts';
import { startChild } from './child.ts';
import { ON_SERVICE_CORE } from './cores.ts';
import { copyOfData } from './data/databases.ts';
import { rawTimesSchema, type RawJob, type RawTimes } from './floors/raw-job.ts';
import { loadSchema, type Job, type Load } from './load/job.ts';
import { ROUNDS, SECONDS } from './settings.ts';
import { PASSWORD } from '#tests/support/password.ts';

/** Makes the service's administrator with that password at its first start. */
export const ENVIRONMENT = { INDEXDESK_ADMIN_PASSWORD: PASSWORD };

/** The service on its core, with a session of its administrator. */
export interface MeasuredService extends SignedIn {
  readonly process: ServiceProcess;
}

/** Starts the service on a copy of a data directory. */
export async function startMeasured(
  options: Pick<Parameters<typeof startService>[0], 'dataDir' | 'databaseUrl'>,
): Promise<MeasuredService> {
  const process = await startService({
    ...options,
    under: ON_SERVICE_CORE,
    environment: ENVIRONMENT,
    longestStart: 120_000,
  });
  const answer = await fetch(`${process.url}/api/rest/v2/application/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  if (answer.status !== 201) throw new Error(`Nobody can sign in: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  return { process, url: process.url, headers: { cookie: cookie.join('; ') } };
}

/** The load generator, a process of its own. */
export interface Generator {
  run(job: Omit<Job, 'seconds'> & { readonly seconds?: number }): Promise<Load>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = startChild('load/generator.ts');
  return {
    run: async (job) => loadSchema.parse(await child.ask({ seconds: SECONDS, ...job })),
    stop: () => child.stop(),
  };
}

/** The service on a copy of a database of `size` revisions and records, and what measures it and its floors. */
export interface Rig {
  readonly size: number;
  readonly dataDir: string;
  /** its SQLite database, which the service has open */
  readonly file: string;
  readonly collections: { readonly archive: Archive; readonly table: Table };
  readonly service: MeasuredService;
  /** sends requests to the service; from one connection where not said */
  load(job: Pick<Job, 'requests'> & Partial<Job>): Promise<Load>;
  /** floor (c), on `file` where not said */
  raw(job: Pick<RawJob, 'units' | 'commit'> & Partial<RawJob>): Promise<RawTimes>;
}

/** Floors (a) and (b), of what bare.ts can be told. */
export interface BareFloor {
  /** where its requests go to, as a part of a job */
  readonly at: Pick<Job, 'url' | 'headers'>;
  stop(): Promise<void>;
}

const listening = z.object({ url: z.string(), cookie: z.string() });

export async function startBare(told: {
  readonly file?: string;
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly bytes?: string;
  readonly folder?: string;
}): Promise<BareFloor> {
  const child = startChild('floors/bare.ts', ON_SERVICE_CORE);
  const { url, cookie } = listening.parse(await child.ask(told));
  return { at: { url, headers: { cookie } }, stop: () => child.stop() };
}

/** Does something with a rig, and removes it. */
export async function withRig<T>(size: number, work: (rig: Rig) => Promise<T>): Promise<T> {
  const { dataDir, remove } = await copyOfData(size);
  const generator = startGenerator();
  const raw = startChild('floors/raw.ts', ON_SERVICE_CORE);
  const file = join(dataDir, SQLITE_FILE);
  try {
    const collections = await collectionsOf({ dataDir });
    const service = await startMeasured({ dataDir });
    const { url, headers } = service;
    const toService = { url, headers, connections: 1, ids: size };
    const onFile = { file, ids: size, seconds: SECONDS / 5 };
    try {
      // The copy has no counts of checks yet; nothing is measured beside counting them.
      await allCounted(service);
      return await work({
        size,
        dataDir,
        file,
        collections,
        service,
        load: (job) => generator.run({ ...toService, ...job }),
        raw: async (job) => rawTimesSchema.parse(await raw.ask({ ...onFile, ...job })),
      });
    } finally {
      await service.process.stop();
    }
  } finally {
    await raw.stop();
    await generator.stop();
    await remove();
  }
}

/** The archive and the table of a data directory, as the service keeps them. */
export async function collectionsOf(config: DatabaseConfig): Promise<Rig['collections']> {
  const database = await openDatabase(config);
  try {
    const { archives, tables } = await database.read(readDefinitions);
    const [archive, table] = [archives[0], tables[0]];
    if (!archive || !table) throw new Error('The data directory holds no archive or table.');
    return { archive, table };
  } finally {
    await database.close();
  }
}

/** Measures things that are to be compared in turn, round by round, after one round that does not count. */
export async function inRounds<Round>(
  measure: () => Promise<Round>,
  count = ROUNDS,
): Promise<Round[]> {
  await measure();
  const rounds: Round[] = [];
  while (rounds.length < count) rounds.push(await measure());
  return rounds;
}
