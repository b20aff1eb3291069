/** @module-tag slow */
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readBuildInfo } from '#server/build-info.ts';
import { migrateTables, SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { recordSystemHistory } from '#server/modules/history/history.service.ts';
import { readLag } from '#server/modules/history/sequencing-lag.ts';
import { sequenceAllEntries } from '#server/modules/history/sequencer.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const FIGURE = /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"]*",?)*\})? -?[\d.e+-]+)$/;

describeOnOneDatabase('what those who run the service ask', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const figures = async () => (await t.client().get('/metrics')).text;

  it('is told that it may be sent requests', async () => {
    const answer = await t.client().get('/readyz');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is told which program answers', async () => {
    const [line] = /^indexdesk_build_info.*$/m.exec(await figures()) ?? [];
    const { version, commit, schema } = readBuildInfo();
    expect(line).toBe(
      `indexdesk_build_info{version="${version}",commit="${commit}",schema="${schema}",node="${process.versions.node}"} 1`,
    );
    expect([commit, schema]).toEqual([
      expect.stringMatching(/^(?:[0-9a-f]{12}|unknown)$/),
      SCHEMA_VERSION,
    ]);
  });

  it('is told that a newer version has changed the database', async () => {
    const set = (value: (old: number) => number) =>
      t.database.write(async (db) => {
        const key = 'schema_version';
        const { value: old } = await db.k
          .selectFrom('installation')
          .select('value')
          .where('key', '=', key)
          .executeTakeFirstOrThrow();
        await db.k
          .updateTable('installation')
          .set({ value: String(value(Number(old))) })
          .where('key', '=', key)
          .execute();
      });
    await set((old) => old + 1);
    const answer = await t.client().get('/readyz');
    expect([answer.status, answer.body]).toEqual([
      503,
      { status: 'not ready', reason: 'the database is of another version' },
    ]);
    await expect(t.database.write(migrateTables)).rejects.toThrow('supports versions up to');
    await set((old) => old - 1);
    expect((await t.client().get('/readyz')).status).toBe(200);
  });

  it('is answered about a database that hangs, and lives meanwhile', async () => {
    const end = Promise.withResolvers<void>();
    const reading = vi.spyOn(t.database, 'read').mockImplementation(async () => {
      await end.promise;
      throw new Error('It hung.');
    });
    const asked = t.client().get('/readyz');
    const again = Array.from({ length: 20 }, () => t.client().get('/readyz'));
    expect((await t.client().get('/healthz')).status).toBe(200);
    // What the database would have to say is left out.
    const text = await figures();
    expect(text).toMatch(/\nindexdesk_writes_waiting \d+\n/);
    expect(text).not.toContain('indexdesk_history_unsealed_entries');
    expect([(await asked).status, (await asked).body, (await again[4])?.status]).toEqual([
      503,
      { status: 'not ready', reason: 'the database does not answer' },
      503,
    ]);
    // Once by all of them; the others are of those who work in the background, and of the figures.
    expect(reading.mock.calls.length).toBeLessThan(10);
    end.resolve();
    reading.mockRestore();
    await expect.poll(async () => (await t.client().get('/readyz')).status).toBe(200);
  });

  it('gets figures in the form of Prometheus', async () => {
    const client = await t.signedIn('clerk');
    await client.get('application/archiveapp/archives/SECRET-NAME/index?q=SECRET-WORD');
    await client.get('/api/rest/v2/SECRET-PATH');
    await client.get('/SECRET-PAGE');
    // Without those of the database where that takes longer than a second.
    const answer = await vi.waitFor(async () => {
      const asked = await t.client().get('/metrics');
      expect(asked.text).toContain('\nindexdesk_history_unsealed_entries ');
      return asked;
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text.endsWith('\n')).toBe(true);
    const lines = answer.text.trimEnd().split('\n');
    expect(lines.filter((line) => !FIGURE.test(line))).toEqual([]);
    expect(answer.text).not.toContain('SECRET');
    expect(answer.text).toContain(
      'indexdesk_request_duration_seconds_count{method="GET",' +
        'route="/api/rest/v2/application/archiveapp/archives/:archive/index",status="404"} 1\n',
    );
    expect(answer.text).toMatch(
      /duration_seconds_count\{method="other",route="other",status="404"\} 2\n/,
    );
    for (const name of [
      'indexdesk_writes_waiting',
      'indexdesk_write_wait_seconds_total',
      'indexdesk_database_connections{state="open"}',
      'indexdesk_event_loop_delay_seconds{quantile="0.99"}',
      'process_resident_memory_bytes',
      'indexdesk_history_unsealed_entries',
      'indexdesk_history_unsealed_age_seconds',
    ]) {
      expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
    }
  });

  it('sees writes that wait, and that they had their turn', async () => {
    const value = async (name: string) =>
      Number(new RegExp(`^${name} (.+)$`, 'm').exec(await figures())?.[1]);
    const before = await value('indexdesk_writes_total');
    const holds = Promise.withResolvers<void>();
    const holding = Array.from({ length: 10 }, () => t.database.write(() => holds.promise));
    const waiting = Array.from({ length: 5 }, () => t.database.write(() => Promise.resolve()));
    const least = !t.database.adapter.isShared ? 14 : 5;
    // The sealing of the history may wait as well.
    await expect.poll(() => value('indexdesk_writes_waiting')).toBeGreaterThanOrEqual(least);
    await expect.poll(() => value('indexdesk_database_longest_wait_seconds')).toBeGreaterThan(0.01);
    holds.resolve();
    await Promise.all([...holding, ...waiting]);
    await expect.poll(() => value('indexdesk_writes_waiting')).toBe(0);
    expect(await value('indexdesk_writes_total')).toBeGreaterThanOrEqual(before + 15);
  });
});

describeOnOneDatabase('figures are for those who may read them', (open) => {
  const status = async (t: TestApp, remoteAddress: string, headers = {}) =>
    (await t.client().get('/metrics', { remoteAddress, headers })).status;

  it('by default on the same machine, but not through a proxy there', async () => {
    const t = await openApp(open);
    expect(await status(t, '127.0.0.1')).toBe(200);
    expect(await status(t, '::1')).toBe(200);
    expect(await status(t, '::ffff:127.0.0.1')).toBe(200);
    expect(await status(t, '10.0.0.1')).toBe(403);
    expect(await status(t, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    expect(await status(t, '127.0.0.1', { forwarded: 'for=127.0.0.1' })).toBe(403);
    expect(await status(t, '127.0.0.1', { via: '1.1 proxy' })).toBe(403);
    expect(await status(t, '127.0.0.1', { 'x-forwarded-host': 'desk.example' })).toBe(403);
  });

  it('in networks that are named, also behind a trusted proxy', async () => {
    const t = await openApp(open, {
      metricsFrom: ['10.1.0.0/16', 'fd00::/8'],
      trustedProxies: ['127.0.0.1'],
    });
    expect(await status(t, '127.0.0.1')).toBe(403);
    expect(await status(t, '10.1.2.3')).toBe(200);
    expect(await status(t, '10.2.2.3')).toBe(403);
    expect(await status(t, 'fd12::1')).toBe(200);
    expect(await status(t, '127.0.0.1', { 'x-forwarded-for': '10.1.2.3' })).toBe(200);
    expect(await status(t, '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' })).toBe(403);
    expect(await status(t, '10.1.2.3', { 'x-forwarded-for': '10.1.2.4' })).toBe(403);
  });

  it('nowhere where that is said', async () => {
    const t = await openApp(open, { metricsFrom: [] });
    expect(await status(t, '127.0.0.1')).toBe(404);
  });
});

describeOnOneDatabase('the lag of the history', (open) => {
  it('is what was committed and is not sequenced', async () => {
    const database = await open();
    const record = () =>
      database.write((db) =>
        recordSystemHistory(
          db,
          { userId: null, username: 'a test', address: null, call: 'test' },
          Date.now() - 5_000,
          {
            scope: 'user',
            rowId: 1,
            kind: 'create',
            before: null,
            after: { a: 1 },
          },
        ),
      );
    const lag = () => database.read(readLag);
    expect(await lag()).toEqual({ entries: 0, age: 0 });
    await record();
    await record();
    const { entries, age } = await lag();
    expect(entries).toBe(2);
    expect(age).toBeGreaterThanOrEqual(5_000);
    await sequenceAllEntries(database);
    expect(await lag()).toEqual({ entries: 0, age: 0 });
  });
});
