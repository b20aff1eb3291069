import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { searchTable, tableName, valueColumn } from '#server/database/records/columns.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import { revisionValues } from '../data/revisions.ts';
import { median } from '../figures.ts';
import type { Load } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startBare, withRig, type Rig } from '../rig.ts';
import { CONNECTIONS, SECONDS, SIZES } from '../settings.ts';
import { API, archivePath, datasetsPath, EXPORTED, exportOf } from './requests.ts';
import { PASSWORD } from '#tests/support/password.ts';

const FILE_BYTES = 10 * 1024 * 1024;

/** All other calls: one by one beside floor (c) or what else they must do at least, and reads by many at once. */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'calls', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  return [
    ...(await measureReads(rig)),
    ...(await measureFile(rig)),
    await measureExport(rig, 'csv'),
    await measureExport(rig, 'xlsx'),
    ...(await measureMany(rig)),
    // Last: a person has so many sessions at most that it ends the one of the others.
    await measureSignIn(rig),
  ];
}

/** Reads of no page, one after the other. */
async function measureReads(rig: Rig): Promise<Row[]> {
  const { collections } = rig;
  const table = tableName(collections.archive);
  const search = searchTable(collections.archive);
  const column = (name: string) =>
    valueColumn(collections.archive.fields.find((field) => field.name === name) ?? { number: 0 });
  const calls: readonly { what: string; path: string; sql: string; parameters?: string[] }[] = [
    {
      what: 'one revision',
      path: `${archivePath}/documents/{id}`,
      sql: `select * from ${table} where _id = cast(? as integer)`,
      parameters: ['{id}'],
    },
    {
      what: 'count of all',
      path: `${archivePath}/index/count`,
      sql: `select count(*) from ${table}`,
    },
    {
      what: 'count by a filter',
      path: `${archivePath}/index/count?where%5BPAGES%5D%5Beq%5D=7`,
      sql: `select count(*) from ${table} where ${column('PAGES')} = 7`,
    },
    {
      what: 'count by a search',
      path: `${archivePath}/index/count?q=rdiff`,
      sql: `select count(*) from ${search} where text match '"rdiff"'`,
    },
    {
      what: 'ids by a filter (1 of 30)',
      path: `${archivePath}/index/ids?where%5BPAGES%5D%5Beq%5D=7`,
      sql: `select _id, _version from ${table} where ${column('PAGES')} = 7 order by _id`,
    },
    {
      what: 'values in use',
      path: `${archivePath}/indices/CLERK/listoptions`,
      sql: `select ${column('CLERK')}, count(*) from ${table} group by 1 order by 2 desc limit 100`,
    },
    {
      what: 'history of a revision',
      path: `${archivePath}/documents/{id}/history`,
      sql: `select * from history where scope = 'archive' and thing_id = ${collections.archive.id}
        and row_id = cast(? as integer) order by id desc`,
      parameters: ['{id}'],
    },
  ];
  const rows: Row[] = [];
  for (const { what, path, sql, parameters = [] } of calls) {
    console.error(`  ${what} of ${rig.size}`);
    const rounds = await inRounds(async () => ({
      own: await rig.load({ requests: [{ method: 'GET', path }] }),
      raw: await rig.raw({ units: [[{ sql, parameters }]], commit: 'none' }),
    }));
    rows.push(
      rowOf(
        rig,
        what,
        rounds.map(({ own }) => own),
        { c: median(rounds.map(({ raw }) => raw.p50)) },
      ),
    );
  }
  return rows;
}

function rowOf(
  { size }: Rig,
  what: string,
  loads: readonly Load[],
  floors: Readonly<Record<string, number>>,
): Row {
  const named = Object.entries(floors).map(([name, floor]) => [name, rounded(floor)]);
  return {
    what,
    size,
    connections: 1,
    unit: 'ms',
    value: rounded(median(loads.map(({ p50 }) => p50))),
    floors: Object.fromEntries(named),
    more: { p99: rounded(median(loads.map(({ p99 }) => p99))) },
  };
}

/** Beside the work that makes guessing a password slow, which is meant. */
async function measureSignIn(rig: Rig): Promise<Row> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const requests = [{ method: 'POST', path: `${API}/application/sessions`, body }];
  const rounds = await inRounds(async () => {
    const own = await rig.load({ requests });
    const from = performance.now();
    await hashPassword(PASSWORD, '');
    return { own, argon2: performance.now() - from };
  });
  const argon2 = median(rounds.map(({ argon2 }) => argon2));
  return rowOf(
    rig,
    'sign-in',
    rounds.map(({ own }) => own),
    { argon2 },
  );
}

const createdSchema = z.object({
  archivedocumentrevisions: z.tuple([z.object({ revisionId: z.string() })]),
});

/** A document of 10 MB: brought, beside writing and flushing it; and fetched, beside Fastify alone. */
async function measureFile(rig: Rig): Promise<Row[]> {
  const { service, dataDir } = rig;
  const path = join(dataDir, 'floor.pdf');
  await writeFile(path, randomBytes(FILE_BYTES));
  const upload = async () => {
    // Each has other bytes: files are kept by their digest.
    const bytes = randomBytes(FILE_BYTES);
    const form = new FormData();
    Object.entries(revisionValues(4711)).forEach(([name, value], i) => {
      form.set(`indexFields[${i}][name]`, name);
      form.set(`indexFields[${i}][value]`, String(value ?? ''));
    });
    form.set('files[0]', new Blob([bytes], { type: 'application/pdf' }), 'letter.pdf');
    const from = performance.now();
    const answer = await fetch(`${service.url}${archivePath}/documents`, {
      method: 'POST',
      headers: service.headers,
      body: form,
    });
    const [created] = createdSchema.parse(await answer.json()).archivedocumentrevisions;
    return { took: performance.now() - from, id: created.revisionId };
  };
  const write = () => {
    const bytes = randomBytes(FILE_BYTES);
    const from = performance.now();
    const file = openSync(join(dataDir, 'floor.upload'), 'w');
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
    return performance.now() - from;
  };
  const { id } = await upload();
  const bare = await startBare({ bytes: path });
  try {
    const rounds = await inRounds(async () => ({
      brought: (await upload()).took,
      written: write(),
      own: await rig.load({
        requests: [{ method: 'GET', path: `${archivePath}/documents/${id}/file` }],
      }),
      bare: await rig.load({ ...bare.at, requests: [{ method: 'GET', path: '/bytes' }] }),
    }));
    return [
      {
        what: 'file of 10 MB, brought',
        size: rig.size,
        connections: 1,
        unit: 'ms',
        value: rounded(median(rounds.map(({ brought }) => brought))),
        floors: { written: rounded(median(rounds.map(({ written }) => written))) },
      },
      rowOf(
        rig,
        'file of 10 MB, fetched',
        rounds.map(({ own }) => own),
        {
          a: median(rounds.map(({ bare }) => bare.p50)),
        },
      ),
    ];
  } finally {
    await bare.stop();
  }
}

/** The first 100,000 revisions as a spreadsheet, beside reading them. */
async function measureExport(rig: Rig, format: 'csv' | 'xlsx'): Promise<Row> {
  console.error(`  export of ${rig.size} as ${format}`);
  const sql = `select * from ${tableName(rig.collections.archive)} where _id <= ${EXPORTED} order by _id`;
  const rounds = await inRounds(async () => ({
    own: await rig.load({ requests: [exportOf(format)], seconds: 0 }),
    raw: await rig.raw({ units: [[{ sql, parameters: [] }]], commit: 'none', times: 1 }),
  }));
  return rowOf(
    rig,
    `export of ${Math.min(EXPORTED, rig.size)} revisions (${format})`,
    rounds.map(({ own }) => own),
    {
      c: median(rounds.map(({ raw }) => raw.all)),
    },
  );
}

/** Reads by many at once, beside Fastify that answers the same JSON without looking for it. */
async function measureMany(rig: Rig): Promise<Row[]> {
  const calls = {
    'page of revisions': `${archivePath}/index?limit=50`,
    'page of datasets': `${datasetsPath}?limit=50`,
    'one revision': `${archivePath}/documents/{id}`,
  };
  const answers: Record<string, unknown> = {};
  for (const [i, path] of Object.values(calls).entries()) {
    const url = rig.service.url + path.replace('{id}', '1');
    answers[i] = await (await fetch(url, { headers: rig.service.headers })).json();
  }
  const bare = await startBare({ answers });
  try {
    const rows: Row[] = [];
    for (const connections of CONNECTIONS) {
      for (const [i, [what, path]] of Object.entries(calls).entries()) {
        console.error(`  ${what} of ${rig.size}, ${connections} connections`);
        const rounds = await inRounds(async () => ({
          own: await rig.load({
            connections,
            requests: [{ method: 'GET', path }],
            seconds: SECONDS,
          }),
          bare: await rig.load({
            ...bare.at,
            connections,
            requests: [{ method: 'GET', path: `/answer/${i}` }],
          }),
        }));
        const of = (take: (round: (typeof rounds)[number]) => number) => median(rounds.map(take));
        rows.push({
          what: `${what}, as many as there can be`,
          size: rig.size,
          connections,
          unit: 'per s',
          value: rounded(of(({ own }) => own.perSecond)),
          floors: { a: rounded(of(({ bare }) => bare.perSecond)) },
          more: {
            'p50 (ms)': rounded(of(({ own }) => own.p50)),
            'p99 (ms)': rounded(of(({ own }) => own.p99)),
          },
        });
      }
    }
    return rows;
  } finally {
    await bare.stop();
  }
}
