/** @module-tag slow */
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { ACCESS_LEVELS } from '#shared/rules/rights.ts';
import { planAt } from '#tests/support/bulk-edits.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';

/** The changing calls on an archive or table by the right they need, as decided. All that is a GET needs `read`. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // What one keeps for oneself, and questions with a body.
  read: [
    'POST datasets/facts',
    'POST queues',
    'PATCH queues/{queueId}',
    'DELETE queues/{queueId}',
    'PUT documents/{revisionId}/flag',
    'DELETE documents/{revisionId}/flag',
    'PUT documents/{revisionId}/viewers',
    'DELETE documents/{revisionId}/viewers',
    'PUT datasets/{jrid}/viewers',
    'DELETE datasets/{jrid}/viewers',
    'POST views',
    'PUT views/{viewId}',
    'DELETE views/{viewId}',
    'PUT lastview',
    'DELETE bulkedits/{bulkEditId}',
  ],
  write: [
    'PATCH documents/{revisionId}/indexdata',
    'PUT documents/{revisionId}/indexdata',
    'PATCH indexdata',
    'PUT indexdata',
    'POST documents',
    'PATCH documents/{revisionId}',
    'POST documents/{revisionId}',
    'POST bulkedits',
    'POST bulkedits/{bulkEditId}/again',
    'POST bulkedits/{bulkEditId}/apply',
    'POST bulkedits/{bulkEditId}/pause',
    'POST bulkedits/{bulkEditId}/resume',
    'POST bulkedits/{bulkEditId}/undo',
    'POST imports/inspections',
    'POST imports',
    'DELETE columns/{column}/aliases/{aliasId}',
    'DELETE indices/{indexfield}/aliases/{aliasId}',
    'POST columns/{column}/replacements',
    'POST indices/{indexfield}/replacements',
    'POST pastes',
    'POST datasets',
    'PUT datasets',
    'PUT datasets/{jrid}',
    'POST datasets/undo',
    'PUT documents/{revisionId}/exceptions/{check}',
    'DELETE documents/{revisionId}/exceptions/{check}',
    'PUT datasets/{jrid}/exceptions/{check}',
    'DELETE datasets/{jrid}/exceptions/{check}',
    'POST checks/try',
  ],
  manage: [
    'DELETE documents/{revisionId}',
    'DELETE datasets',
    'POST merges/plan',
    'POST merges',
    'POST merges/undo',
  ],
};

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A call on an archive or table, with what stands in its path. */
interface Call {
  readonly method: (typeof METHODS)[number];
  /** behind the archive or table */
  readonly rest: string;
  path(place: string): string;
}

const { open } = testDatabases('sqlite');
let t: TestApp;
let archive: Archive;
let table: Table;
let calls: Call[];
beforeAll(async () => {
  t = await openApp(open);
  archive = await buildArchive(t.database, [{ name: 'NAME' }]);
  table = await buildTable(t.database, [{ name: 'NAME' }]);
  await buildRecords(t.database, archive, [['secret of one']]);
  await buildRecords(t.database, table, [['secret of two']]);
  await buildUser(t.database, { username: 'administrator', role: 'administrator' });
  await buildUser(t.database, { username: 'stranger', role: 'clerk' });
  for (const level of ACCESS_LEVELS) {
    const rights = [rightOn(archive, level), rightOn(table, level)];
    await buildUser(t.database, { username: level, role: 'clerk', rights });
  }
  await buildUser(t.database, {
    username: 'reader',
    role: 'reader',
    rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
  });
  const admin = await t.signedIn('administrator');
  const { paths } = documentSchema.parse((await admin.get('openapi.json')).body);
  calls = Object.entries(paths).flatMap(([pattern, operations]) => {
    const parts = /^\/(.*)\/\{(?:archive|guid)\}(?:\/(.*))?$/.exec(pattern);
    if (!parts || pattern.startsWith('/configuration/')) return [];
    const [, base = '', rest = ''] = parts;
    return METHODS.filter((method) => method.toLowerCase() in operations).map((method) => ({
      method,
      rest,
      path: (place: string) =>
        [base, place, rest]
          .join('/')
          .replace(/\{(?:indexfield|column)\}/, 'NAME')
          .replace(/\{\w+\}/g, '999999'),
    }));
  });
});

const placeOf = (call: Call, hidden = false) => {
  if (hidden) return call.path('x').includes('/tables/') ? GUID : 'NOWHERE';
  return call.path('x').includes('/tables/') ? table.guid : archive.name;
};
const GUID = '00000000-0000-4000-8000-000000000000';
/** An answer without what differs each time. */
function essenceOf({ status, body }: TestAnswer) {
  const { code, errors } = errorBodySchema.parse(body);
  return { status, code, errors };
}
const ask = (client: TestClient, username: string, { method, path }: Call, place: string) =>
  client.send(method, path(place).replace('users/999999', `users/${username}`));
const named = ({ method, rest }: Call) => `${method} ${rest}`;

it('every call is named with the right that it needs', () => {
  expect(calls.length).toBeGreaterThan(80);
  const changing = new Set(calls.filter(({ method }) => method !== 'GET').map(named));
  expect([...changing].sort()).toEqual(Object.values(NEEDED).flat().sort());
});

it('calls of administrators are refused to all others, whatever they name', async () => {
  const admin = await t.signedIn('administrator');
  const { paths } = documentSchema.parse((await admin.get('openapi.json')).body);
  const administration = Object.entries(paths).filter(([path]) =>
    path.startsWith('/configuration/'),
  );
  expect(administration.length).toBeGreaterThan(3);
  const clients = [await t.signedIn('manage'), await t.signedIn('reader')];
  for (const [path, operations] of administration) {
    const address = path
      .slice(1)
      .replaceAll('{archive}', archive.name)
      .replaceAll(/\{\w+\}/g, '1');
    for (const method of METHODS.filter((one) => one.toLowerCase() in operations)) {
      for (const client of clients) {
        const { status, code } = essenceOf(await client.send(method, address));
        expect([method, path, status, code]).toEqual([method, path, 403, 'forbidden']);
      }
    }
  }
});

it('nobody is answered anything without a session', async () => {
  const client = t.client();
  for (const call of calls) {
    const there = essenceOf(await ask(client, 'read', call, placeOf(call)));
    expect([named(call), there]).toMatchObject([named(call), { status: 401 }]);
    expect(essenceOf(await ask(client, 'read', call, placeOf(call, true)))).toEqual(there);
  }
});

it('what one may not see is not told from what does not exist', async () => {
  const client = await t.signedIn('stranger');
  for (const call of calls) {
    const hidden = essenceOf(await ask(client, 'stranger', call, placeOf(call)));
    expect([named(call), hidden]).toMatchObject([named(call), { status: 404, code: 'not_found' }]);
    expect(essenceOf(await ask(client, 'stranger', call, placeOf(call, true)))).toEqual(hidden);
  }
});

const RANK: readonly string[] = ['read', 'write', 'manage'];
// The first three differ by what a call needs; the others by where the right comes from.
const people = sampled(3, [
  { username: 'read', has: 'read' },
  { username: 'write', has: 'write' },
  { username: 'manage', has: 'manage' },
  // Whatever a reader was given.
  { username: 'reader', has: 'read' },
  { username: 'administrator', has: 'manage' },
]);
it.each(people)('$username may do what $has may, and nothing more', async ({ username, has }) => {
  const client = await t.signedIn(username);
  for (const call of calls) {
    const needed =
      call.method === 'GET' ? 'read' : RANK.find((level) => NEEDED[level]?.includes(named(call)));
    const answer = await ask(client, username, call, placeOf(call));
    const may = RANK.indexOf(has) >= RANK.indexOf(needed ?? '');
    if (!may) {
      expect([named(call), essenceOf(answer)]).toMatchObject([
        named(call),
        { status: 403, code: 'forbidden' },
      ]);
      expect(answer.text).not.toContain('secret');
      continue;
    }
    expect([named(call), answer.status]).not.toEqual([named(call), 401]);
    expect([named(call), answer.status]).not.toEqual([named(call), 403]);
    if (answer.status !== 404) continue;
    // There is no such revision, view and so on; the archive or table is there.
    const elsewhere = await ask(client, username, call, placeOf(call, true));
    expect([named(call), essenceOf(answer)]).not.toEqual([named(call), essenceOf(elsewhere)]);
  }
});

describe('what belongs to one user', () => {
  it('is not there for others, whatever right they have', async () => {
    const [owner, other] = [await t.signedIn('write'), await t.signedIn('manage')];
    const path = archivePath(archive);
    const edits = [{ field: 'NAME', do: 'append', text: '!' }];
    const plan = await planAt(owner, `${path}/bulkedits`, { filter: '' }, edits);
    const made = async (at: string, body: object) => {
      const answer = await owner.post(at, body);
      expect([at, answer.status]).toEqual([at, 201]);
      return `${at}/${String(/"(?:queueId|viewId)":"([0-9]+)"/.exec(answer.text)?.[1])}`;
    };
    const queue = await made(`${path}/queues`, { filter: '' });
    const view = { name: 'mine', shared: false, search: 'q=secret' };
    const views = [
      await made(`${path}/views`, view),
      await made(`${datasetsPath(table).replace(/\/datasets$/, '')}/views`, view),
    ];
    const attempts = [
      ...['GET', 'DELETE'].map((method) => [method, plan] as const),
      ['GET', `${plan}/revisions`] as const,
      ...['again', 'apply', 'pause', 'resume', 'undo'].map(
        (verb) => ['POST', `${plan}/${verb}`] as const,
      ),
      ...['GET', 'PATCH', 'DELETE'].map((method) => [method, queue] as const),
      ['GET', `${queue}/revisions`] as const,
      ...views.flatMap((at) => [['PUT', at] as const, ['DELETE', at] as const]),
    ];
    for (const [name, at] of attempts) {
      const method = METHODS.find((known) => known === name) ?? 'GET';
      const bodies: Record<string, unknown> = { PUT: view, PATCH: { position: 0 } };
      const body = at.endsWith('/apply') ? {} : bodies[method];
      const answer = await other.send(method, at, body);
      expect([name, at, answer.status]).toEqual([name, at, 404]);
      expect(answer.text).not.toContain('secret');
    }
    for (const at of [`${path}/bulkedits`, `${path}/queues`, `${path}/views`, `${path}/lastview`]) {
      expect((await other.get(at)).text).not.toMatch(/secret|mine|"[0-9]+"/);
    }
    expect((await other.get('application/queues')).text).not.toMatch(/"[0-9]+"/);
    // An administrator sees and halts everybody's bulk edits, and starts none.
    const admin = await t.signedIn('administrator');
    expect((await admin.get(plan)).status).toBe(200);
    expect((await admin.post(`${plan}/apply`, {})).status).toBe(403);
    expect((await admin.post(`${plan}/again`)).status).toBe(403);
  });
});
