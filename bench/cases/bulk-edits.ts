import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#server/db/database.ts';
import { hashPassword } from '#server/modules/users/passwords.service.ts';
import { createUser } from '#server/modules/users/users.service.ts';
import { bulkEditsAnswer } from '#shared/bulk-edit-messages.ts';
import { archivePath, BUILDER, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { startService } from '#tests/support/service-process.ts';
import type { BenchResult } from '../result.ts';

/** Revisions that are edited together; 50 others are saved one by one meanwhile. */
const EDITED = 100_000;
const SAVED = 50;
const FIELDS = ['NAME', 'SUPPLIER', 'NOTE', 'CITY', 'STREET', 'COMMENT'];
const PASSWORD = 'correct horse battery';

/** Plan and application of 100,000 revisions on SQLite, in milliseconds, and the saves that go on meanwhile. */
export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const database = await openDatabase({ dataDir });
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
  const service = await startService({ dataDir, args: ['--empty'] });
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
    saves.sort((a, b) => a - b);
    const share = (part: number) => Math.round(saves[Math.floor(saves.length * part)] ?? 0);
    return {
      name: 'bulk-edits',
      figures: {
        plan: Math.round(plan),
        apply: Math.round(apply),
        saves: saves.length,
        saveMedian: share(0.5),
        saveP95: share(0.95),
      },
    };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
