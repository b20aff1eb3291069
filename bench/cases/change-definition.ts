import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  definedArchivesAnswer,
  jobsAnswer,
  type DefinedArchive,
} from '#shared/contract/configuration-definitions.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { ARCHIVE, copyOfData } from '../data/databases.ts';
import type { Load } from '../load/job.ts';
import { roundedPartBelow } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { startGenerator, startMeasured, type Generator, type MeasuredService } from '../rig.ts';
import { allCounted } from '../service-calls.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { loadRevisions } from './add-field.ts';
import { API, archivePath, change } from './requests.ts';

/** Each of so many clerks sends two requests a second, a page and a save. */
const CLERKS = 20;
const RATE = CLERKS * 2;
const GOAL = 250;
/** For how long at most each change is measured. */
const MINUTES = Number(process.env['INDEXDESK_BENCH_MINUTES'] ?? 10);

const PAGES = ['limit=50', 'where%5BSTATE%5D%5Beq%5D=open&limit=50', 'sort=-DATED&limit=50'].map(
  (query) => ({ method: 'GET', path: `${archivePath}/index?${query}` }),
);
const REQUESTS = PAGES.flatMap((page) => [page, change]);

type Fields = DefinedArchive['indexFields'];

const renamed = (fields: Fields, name: string, entry: object) =>
  fields.map((field) => (field.name === name ? { ...field, ...entry } : field));

const CANCELLED = 'a conversion is cancelled';

/** The changes, in their order; a new type also brings new indexes. */
const CHANGES: Readonly<Record<string, (fields: Fields) => readonly object[]>> = {
  'a field is added': (fields) => [...fields, { name: 'ADDED', type: 'text', maxLength: 200 }],
  'a field is renamed': (fields) =>
    renamed(fields, 'CONTACT', { name: 'PERSON', renamedFrom: 'CONTACT' }),
  [CANCELLED]: (fields) => renamed(fields, 'ACCOUNT', { type: 'decimal', maxLength: null }),
  'a text field is converted and indexed': (fields) =>
    renamed(fields, 'ACCOUNT', { type: 'integer', maxLength: null }),
  'a field is retired': (fields) => fields.filter(({ name }) => name !== 'STREET'),
};

/** Pages and saves of an archive while administrators change its definition, on both databases. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const rows = [...(await onSqlite(size)), ...(await onPostgres(size))];
  return { name: 'change-definition', figures: {}, rows };
}

async function onSqlite(size: number): Promise<Row[]> {
  const { dataDir, remove } = await copyOfData(size);
  try {
    return await measure('SQLite', size, { dataDir });
  } finally {
    await remove();
  }
}

async function onPostgres(size: number): Promise<Row[]> {
  const given = process.env['INDEXDESK_BENCH_DATABASE_URL'];
  const cluster = given === undefined ? await createCluster() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-change-definition-copy-'));
  const dataDir = join(folder, 'data');
  try {
    if (cluster) {
      await cluster.start();
      await loadRevisions(folder, size, ['--database-url', cluster.url, '--data', dataDir]);
    }
    return await measure('PostgreSQL', size, { dataDir, databaseUrl: cluster?.url ?? given });
  } finally {
    await cluster?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  database: string,
  size: number,
  options: Parameters<typeof startMeasured>[0],
): Promise<Row[]> {
  const generator = startGenerator();
  const service = await startMeasured(options);
  const load = (seconds: number) => {
    const { url, headers } = service;
    const job = { url, headers, ids: size, requests: REQUESTS, connections: CLERKS, rate: RATE };
    return generator.run({ ...job, seconds });
  };
  try {
    await allCounted(service, [], [archivePath]);
    await load(SECONDS * 5);
    const alone = await load(SECONDS * 5);
    const rows: Row[] = [];
    for (const [what, apply] of Object.entries(CHANGES)) {
      console.error(`  ${what}, ${size} revisions on ${database}`);
      const row = await measureChange(service, load, alone, { what, database, size }, apply);
      rows.push(row);
    }
    return rows;
  } finally {
    await service.process.stop();
    await generator.stop();
  }
}

async function measureChange(
  service: MeasuredService,
  load: (seconds: number) => ReturnType<Generator['run']>,
  alone: Load,
  {
    what,
    database,
    size,
  }: { readonly what: string; readonly database: string; readonly size: number },
  apply: (fields: Fields) => readonly object[],
): Promise<Row> {
  const begun = performance.now();
  const work = { took: 0 };
  const beginning = beginChange(service, apply);
  const changing = (async () => {
    await untilEnd(service, await beginning);
    work.took = performance.now() - begun;
  })();
  // Where the load fails, the service ends before the change; what the load says is the cause.
  changing.catch(() => undefined);
  // A part that has little of the work in it does not make the others look better.
  const parts: Load[] = [];
  do {
    parts.push(await load(SECONDS * 4));
    if (what === CANCELLED && parts.length === 2) await cancel(service, await beginning);
  } while (work.took === 0 && performance.now() - begun < MINUTES * 60_000);
  const isWhole = work.took !== 0;
  const highest = (take: (part: Load) => number) => Math.max(...parts.map(take));
  const p95 = highest((part) => part.p95);
  const latencies = parts.flatMap((part) => part.latencies);
  const row: Row = {
    what: `pages and saves of 20 clerks while ${what}, ${database}, p95`,
    size,
    connections: CLERKS,
    unit: 'ms',
    value: rounded(p95),
    floors: { 'p95 alone': rounded(alone.p95) },
    goal: { says: `≤ ${GOAL} ms`, met: p95 <= GOAL },
    more: {
      'p95 of the whole change': roundedPartBelow(latencies, 0.95),
      p50: rounded(highest((part) => part.p50)),
      most: rounded(highest((part) => part.most)),
      refused: parts.reduce((sum, { refused }) => sum + refused, 0),
      ...(isWhole
        ? { 'the change (ms)': rounded(work.took) }
        : { 'measured for minutes, not to its end': MINUTES }),
    },
  };
  // At once: what follows may take hours.
  console.error(`  p95 ${row.value} ms, ${JSON.stringify(row.more)}`);
  if (!isWhole) {
    console.error('  it continues without load, or is undone');
    await cancel(service, await beginning);
  }
  await changing;
  return row;
}

/** Changes the archive. @returns its job, or 0 if it is done */
async function beginChange(
  service: MeasuredService,
  apply: (fields: Fields) => readonly object[],
): Promise<number> {
  const path = `configuration/archives/${ARCHIVE}`;
  const [archive] = definedArchivesAnswer.parse(await call(service, 'GET', path)).archives;
  if (!archive) throw new Error('There is no archive.');
  const fields = archive.indexFields.filter(({ retiredAt }) => retiredAt === null);
  const body = { archive: { ...archive, indexFields: apply(fields) } };
  const answer = await call(service, 'PUT', path, body, { 'if-match': `"${archive.version}"` });
  const begun = jobsAnswer.safeParse(answer);
  return Number(begun.data?.jobs[0]?.jobId ?? 0);
}

async function cancel(service: MeasuredService, jobId: number): Promise<void> {
  if (jobId !== 0) await call(service, 'DELETE', `configuration/jobs/${jobId}`);
}

/** Waits until a job is done or was cancelled. */
async function untilEnd(service: MeasuredService, jobId: number): Promise<void> {
  for (;;) {
    if (jobId === 0) return;
    const [job] = jobsAnswer.parse(await call(service, 'GET', `configuration/jobs/${jobId}`)).jobs;
    if (job?.state === 'done' || job?.state === 'cancelled') return;
    if (job?.state === 'failed' || !job)
      throw new Error(`The job has ended: ${JSON.stringify(job)}`);
    await setTimeout(100);
  }
}

async function call(
  { url, headers }: MeasuredService,
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await fetch(`${url}${API}/${path}`, {
    method,
    headers: { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${said}`);
  return said === '' ? null : JSON.parse(said);
}
