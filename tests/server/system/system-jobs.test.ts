/** @module-tag slow */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkBackup } from '#server/modules/backups/backup.service.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { backupsAnswer, systemJobAnswer, systemJobsAnswer } from '#shared/contract/system-jobs.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

const JOBS = 'configuration/system/jobs';
const BACKUPS = 'configuration/system/backups';

/** Statements by which the database refuses the commit of a transaction that adds the entry of a deletion. */
const REFUSED_COMMIT = {
  sqlite: {
    create: [
      'create table referenced (id integer primary key)',
      'create table refused (id integer references referenced (id) deferrable initially deferred)',
      `create trigger refuse after insert on history when new.kind = 'delete'
        begin insert into refused values (1); end`,
    ],
    drop: ['drop trigger refuse'],
  },
  postgres: {
    create: [
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
      `create constraint trigger refuse after insert on history deferrable initially deferred
        for each row when (new.kind = 'delete') execute function refuse()`,
    ],
    drop: ['drop trigger refuse on history'],
  },
} as const;

describeOnOneDatabase('backups and checks of administrators', (open, { prepare, dialect }) => {
  /** A service on a database of its own, and an administrator. */
  async function openService() {
    const database = await prepare();
    const t = await openApp(() => open(database), database);
    await buildArchive(t.database, [{ name: 'A' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    return { t, root: await t.signedIn('root') };
  }

  /** Starts a job and waits for its end. */
  async function ended(root: TestClient, path: string) {
    const answer = await root.post(path);
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    const [started] = systemJobAnswer.parse(answer.body).jobs;
    return vi.waitFor(async () => {
      const { jobs } = systemJobsAnswer.parse((await root.get(JOBS)).body);
      const job = jobs.find(({ jobId }) => jobId === started?.jobId);
      expect(job?.finishedAt).toEqual(expect.any(String));
      return job;
    });
  }
  const listed = async (root: TestClient) => backupsAnswer.parse((await root.get(BACKUPS)).body);

  it('make a backup that can be downloaded, checked and deleted, as the audit says', async () => {
    const { root } = await openService();
    expect(await ended(root, BACKUPS)).toMatchObject({ state: 'done', startedBy: 'root' });
    const [backup] = (await listed(root)).backups;
    expect(backup).toMatchObject({ createdBy: 'root', checkedAt: null, problem: null, missing: 0 });
    const path = `${BACKUPS}/${backup?.name}`;

    const download = await root.get(path);
    expect(download.headers).toMatchObject({
      'content-disposition': `attachment; filename="${backup?.name}"`,
      'content-length': String(backup?.bytes),
    });
    const folder = await mkdtemp(join(tmpdir(), 'indexdesk-backup-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'copy.tar'), download.bytes);
    expect(await checkBackup(join(folder, 'copy.tar'), () => undefined)).toMatchObject({
      files: 0,
    });

    expect(await ended(root, `${path}/checks`)).toMatchObject({ state: 'done' });
    expect((await listed(root)).backups).toMatchObject([
      { checkedAt: expect.any(String), problem: null },
    ]);
    expect((await root.delete(path)).status).toBe(204);
    expect((await listed(root)).backups).toEqual([]);
    expect((await root.get(path)).status).toBe(404);

    const { body } = await root.get('configuration/audit?kind=access&user=root');
    const { entries } = auditAnswer.parse(body);
    expect(
      entries.map(({ subject, action, changes }) => [subject, action, changes[0]?.name]),
    ).toEqual([
      ['system', 'delete', 'backup'],
      ['system', 'create', 'backup-check'],
      ['system', 'change', 'downloaded'],
      ['system', 'create', 'backup'],
    ]);
  });

  it('keep a backup whose deletion cannot be committed', async () => {
    const { t, root } = await openService();
    const { directory } = await listed(root);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'kept.tar'), 'a backup');
    const { backups } = await listed(root);
    const path = `${BACKUPS}/kept.tar`;
    const run = (statements: readonly string[]) =>
      t.database.write(async (db) => {
        for (const text of statements) await sql.raw(text).execute(db.k);
      });
    await run(REFUSED_COMMIT[dialect].create);
    expect((await root.delete(path)).status).toBeGreaterThanOrEqual(500);
    expect((await listed(root)).backups).toEqual(backups);
    expect(backups).toHaveLength(1);
    await run(REFUSED_COMMIT[dialect].drop);
    expect((await root.delete(path)).status).toBe(204);
    expect((await listed(root)).backups).toEqual([]);
  });

  it('find a backup damaged', { tags: ['long'] }, async () => {
    const { t, root } = await openService();
    await ended(root, BACKUPS);
    const { backups, directory } = await listed(root);
    await writeFile(join(directory, 'damaged.tar'), 'no backup');
    expect(directory).toContain(t.config.dataDir);
    expect(backups).toHaveLength(1);
    const check = await ended(root, `${BACKUPS}/damaged.tar/checks`);
    expect(check).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('not a complete'),
    });
    expect((await listed(root)).backups).toContainEqual(
      expect.objectContaining({ name: 'damaged.tar', problem: check?.error, createdBy: null }),
    );
  });

  it('verify the installation', async () => {
    const { root } = await openService();
    const job = await ended(root, 'configuration/system/verifications');
    expect(job).toMatchObject({ state: 'done', result: { findings: 0, problems: [] } });
    const { lastVerification } = systemJobsAnswer.parse((await root.get(JOBS)).body);
    expect(lastVerification).toEqual(job);
    if (!IS_LONG_RUN) return;
    // What the backups and checks have added to the history is verified too.
    expect(await ended(root, 'configuration/system/verifications')).toMatchObject({
      result: { findings: 0 },
    });
  });

  it('are refused while one runs, and end where they are cancelled or their process has died', async () => {
    const { t, root } = await openService();
    const row = {
      kind: 'verification',
      state: 'running',
      actor: JSON.stringify({ userId: 1, username: 'root', address: null, call: 'x' }),
      created_at: Date.now(),
      owner: 'another process',
    } as const;
    const insert = (leaseUntil: number) =>
      t.database.write((db) =>
        db.k
          .insertInto('system_jobs')
          .values({ ...row, lease_until: leaseUntil })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
    await insert(Date.now() - 1);
    const { id } = await insert(Date.now() + 3_600_000);
    expect((await root.post(BACKUPS)).status).toBe(409);
    expect((await root.delete(`${JOBS}/${id}`)).status).toBe(204);
    const { jobs } = systemJobsAnswer.parse((await root.get(JOBS)).body);
    expect(jobs.map(({ state, error }) => [state, error])).toEqual([
      ['cancelling', null],
      ['failed', expect.any(String)],
    ]);
    expect((await root.delete(`${JOBS}/99`)).status).toBe(404);
    expect((await root.get(`${BACKUPS}/..%2Findexdesk.sqlite`)).status).toBe(404);
  });
});
