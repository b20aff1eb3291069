import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { Transaction } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { updateBulkEdit } from '#server/modules/bulk-edits/bulk-edits.store.ts';
import { runBulkEdits } from '#server/modules/bulk-edits/bulk-edits.runner.ts';
import { Definitions } from '#server/modules/definitions/definitions.service.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import { createUser } from '#server/modules/accounts/users.service.ts';
import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { archivePath, BUILDER, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { startPostgres } from '#tests/support/postgres-process.ts';
import { startService } from '#tests/support/service-process.ts';
import { roundedPartBelow } from '../figures.ts';
import type { BenchResult } from '../result.ts';
import { SIZES } from '../settings.ts';
import { PASSWORD } from '#tests/support/password.ts';

/** Revisions that are edited together; 50 others are saved one by one meanwhile. */
const EDITED = Math.min(100_000, ...SIZES);
const SAVED = 50;
const FIELDS = ['NAME', 'SUPPLIER', 'NOTE', 'CITY', 'STREET', 'COMMENT'];

/**
 * Plan and application of 100,000 revisions on SQLite and on PostgreSQL, in milliseconds, the saves that go on
 * meanwhile, and for how long the parts of such a job hold the writer.
 */
export async function run(): Promise<BenchResult> {
  const onSqlite = await measure({});
  const server = await startPostgres();
  try {
    const databaseUrl = server.url;
    const onPostgres = await measure({ databaseUrl });
    const named = Object.entries(onPostgres).map(([name, figure]) => [`postgres.${name}`, figure]);
    return { name: 'bulk-edits', figures: { ...onSqlite, ...Object.fromEntries(named) } };
  } finally {
    await server.stop();
  }
}

async function measure(where: { databaseUrl?: string }): Promise<BenchResult['figures']> {
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const config = { dataDir, ...where };
  const database = await openDatabase(config);
  const archive = await buildArchive(
    database,
    FIELDS.map((name) => ({ name })),
  );
  const rows = Array.from({ length: EDITED + SAVED }, (_, i) =>
    FIELDS.map(
      (name) => `${name.toLowerCase()} of revision ${i} and ${(i * 7919) % 1009} more words`,
    ),
  );
  await buildRecords(database, archive, rows);
  const passwordHash = await hashPassword(PASSWORD, '');
  const user = { username: 'admin', displayName: 'A', role: 'administrator', rights: [] } as const;
  await database.write((db) => createUser(db, { ...user, passwordHash }, BUILDER));
  await database.close();
  const service = await startService({ ...config, args: ['--empty'] });
  try {
    const base = `${service.url}/api/rest/v2/`;
    let cookie = '';
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = { cookie, 'content-type': 'application/json' };
      const text = body === undefined ? null : JSON.stringify(body);
      const answer = await fetch(base + path, { method, headers, body: text });
      const cookies = answer.headers.getSetCookie().map((set) => set.split(';')[0]);
      if (cookies.length > 0) cookie = cookies.join('; ');
      const read: unknown = await answer.json();
      if (!answer.ok) throw new Error(JSON.stringify(read));
      return read;
    };
    const one = (answer: unknown) => {
      const [bulkEdit] = bulkEditsAnswer.parse(answer).bulkedits;
      if (!bulkEdit) throw new Error('No bulk edit');
      return bulkEdit;
    };
    await send('POST', 'application/sessions', { username: 'admin', password: PASSWORD });
    const saves: number[] = [];
    let over = false;
    const saving = (async () => {
      // It is set below, while a save is awaited.
      const goesOn = () => !over;
      for (let n = 0; goesOn(); n++) {
        const start = performance.now();
        const path = `${archivePath(archive)}/documents/${EDITED + 1 + (n % SAVED)}/indexdata`;
        await send('PATCH', path, { indexFields: [{ name: 'NAME', value: `save ${n}` }] });
        saves.push(performance.now() - start);
        await setTimeout(30);
      }
    })();
    const path = `${archivePath(archive)}/bulkedits`;
    const revisionIds = Array.from({ length: EDITED }, (_, i) => i + 1);
    const edits = [{ field: 'NOTE', do: 'append', text: ' (corrected)' }];
    const start = performance.now();
    const planned = one(await send('POST', path, { selection: { revisionIds }, edits }));
    const plan = performance.now() - start;
    const at = `${path}/${planned.bulkEditId}`;
    await send('POST', `${at}/apply`, { onChanged: 'leaveOut' });
    let applied = one(await send('GET', at));
    while (applied.state === 'applying') {
      await setTimeout(100);
      applied = one(await send('GET', at));
    }
    const apply = performance.now() - start - plan;
    over = true;
    await saving;
    if (applied.counts.done !== EDITED) throw new Error(JSON.stringify(applied));
    await service.stop();
    const holds = await measureHolds(config, applied.bulkEditId);
    return {
      plan: Math.round(plan),
      apply: Math.round(apply),
      saves: saves.length,
      saveMedian: roundedPartBelow(saves, 0.5),
      saveP95: roundedPartBelow(saves, 0.95),
      ...holds,
    };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Reverts the job within this process while a write waits, and measures for how long each of its parts holds the writer. */
async function measureHolds(config: DatabaseConfig, bulkEditId: string) {
  const database = await openDatabase(config);
  const holds: number[] = [];
  const busy: number[] = [];
  const timed = wrapDatabase(database, {
    write: (work, options) =>
      database.write(async (db) => {
        const [start, waited] = [performance.now(), waitedForCore()];
        try {
          return await work(db);
        } finally {
          const hold = performance.now() - start;
          holds.push(hold);
          busy.push(hold - (waitedForCore() - waited));
        }
      }, options),
    load: () => ({ ...database.load(), waitingWrites: 1 }),
  });
  const id = Number(bulkEditId);
  await database.write((db) => updateBulkEdit(db, id, { state: 'undoing', phase: 'undo' }));
  const runner = runBulkEdits(timed, new Definitions(), console);
  const stateOf = (db: Transaction) =>
    db.k.selectFrom('bulk_edits').select('state').where('id', '=', id).executeTakeFirst();
  while ((await database.read(stateOf))?.state === 'undoing') await setTimeout(100);
  await runner.close();
  await database.close();
  return {
    parts: holds.length,
    holdMedian: roundedPartBelow(holds, 0.5),
    holdP95: roundedPartBelow(holds, 0.95),
    holdMost: roundedPartBelow(holds, 1),
    holdsOver20: holds.filter((hold) => hold > 20).length,
    holdMostOnCore: Math.round(Math.max(...busy)),
  };
}

/** For how long others have kept this thread from a processor core, in milliseconds, as Linux counts; elsewhere 0. */
function waitedForCore(): number {
  try {
    const counts = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(counts.split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
