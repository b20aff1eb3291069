import { beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const HOUR = 60 * 60_000;

describeOnOneDatabase('indexdesk user token', (open, { prepare }) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let where: string[];
  beforeAll(async () => {
    const config = await prepare();
    const { dataDir, databaseUrl } = config;
    where = databaseUrl === undefined ? ['--data', dataDir] : ['--database-url', databaseUrl];
    t = await openApp(() => open(config));
    archive = await buildArchive(t.database, [{ name: 'NAME' }]);
    table = await buildTable(t.database, [{ name: 'NAME' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const rights = [rightOn(archive, 'manage'), rightOn(table, 'manage')];
    await buildUser(t.database, { username: 'Anna', rights });
  });

  /** Runs the command while the service runs. */
  const run = async (...args: readonly string[]) => {
    const [out, err] = [new Array<string>(), new Array<string>()];
    const whole = ['user', 'token', ...args, ...where];
    const code = await runCommandLine(
      whole,
      {},
      {
        out: (line) => void out.push(line),
        err: (line) => void err.push(line),
      },
    );
    return { code, out, err };
  };
  const expires = new Date(Date.now() + HOUR).toISOString();
  const add = async (username: string, ...args: readonly string[]) => {
    const asked = ['--name', 'Nightly export', '--right', 'read', '--expires', expires];
    const { code, out, err } = await run('add', username, ...asked, ...args);
    expect({ code, err }).toEqual({ code: 0, err: [] });
    const token = /^The token of \w+ is: (idx_[\w-]{43})$/.exec(out.join('\n'))?.[1] ?? '';
    return t.client({ headers: { authorization: `Bearer ${token}` } });
  };

  it('makes a token that does what it is for, lists and revokes it', async () => {
    const client = await add('anna', '--archive', archive.name);
    const index = `${archivePath(archive)}/index`;
    expect((await client.get(index)).status).toBe(200);
    expect((await client.get(datasetsPath(table))).status).toBe(404);
    const body = { indexFields: [{ name: 'NAME', value: 'x' }] };
    const change = await client.patch(`${archivePath(archive)}/documents/1/indexdata`, body);
    expect(change.status).toBe(403);
    expect((await client.get('application/users/anna/tokens')).status).toBe(403);

    const { out } = await run('list', 'ANNA');
    expect(out).toEqual([
      expect.stringMatching(
        `^[0-9a-f-]{36}  idx_.{4}…  read    ${expires}  Nightly export  \\(${archive.name}\\)$`,
      ),
    ]);
    const tokenId = out[0]?.slice(0, 36) ?? '';
    expect((await run('delete', 'anna', tokenId)).out).toEqual(['The token of Anna was revoked.']);
    expect((await client.get(index)).status).toBe(401);
    expect((await run('list', 'anna')).out).toEqual([]);
    expect(await run('delete', 'anna', tokenId)).toMatchObject({
      code: 1,
      err: ['There is no token with this id.'],
    });
    const root = await t.signedIn('root');
    const audit = auditAnswer.parse((await root.get('configuration/audit?kind=sign-in')).body);
    expect(audit.entries.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['user token add Anna', 'user token delete Anna']),
    );
  });

  it('lets tokens of administrators alone open the administration', async () => {
    const client = await add('root', '--configuration');
    expect((await client.get('configuration/users')).status).toBe(200);
    expect((await run('list', 'root')).out[0]).toMatch(/Nightly export {2}--configuration$/);
    const asked = ['--name', 'n', '--right', 'read', '--expires', expires, '--configuration'];
    expect(await run('add', 'anna', ...asked)).toMatchObject({
      code: 1,
      err: ['Only administrators can create tokens that open the administration.'],
    });
  });

  it('says what is wrong', async () => {
    const asked = { name: 'n', right: 'read', expires };
    const refused = async (differences: Partial<typeof asked>, ...args: readonly string[]) => {
      const flags = Object.entries({ ...asked, ...differences }).flatMap(([name, value]) => [
        `--${name}`,
        value,
      ]);
      const { code, err } = await run('add', 'anna', ...flags, ...args);
      return [code, err[0]];
    };
    expect(await refused({ right: 'none' })).toEqual([
      2,
      '--right must be one of read, write, manage.',
    ]);
    expect(await refused({ expires: 'tomorrow' })).toEqual([
      2,
      expect.stringContaining('--expires: It must be a time'),
    ]);
    expect(await refused({ name: '' })).toEqual([2, expect.stringContaining('--name: A name has')]);
    expect(await refused({ expires: '2020-01-01T00:00:00Z' })).toEqual([
      1,
      'The token has to expire in the future.',
    ]);
    expect(await refused({}, '--archive', 'NONE')).toEqual([1, expect.stringContaining('NONE')]);
    expect((await run('make', 'anna')).err[0]).toBe(
      'user token make: it must be one of add, list, delete.',
    );
    expect((await run('list', 'nobody')).err).toEqual(['There is no user nobody.']);
    await buildUser(t.database, { username: 'gone' });
    await (await t.signedIn('root')).patch('configuration/users/gone', { user: { active: false } });
    const flags = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, value]);
    expect((await run('add', 'gone', ...flags)).err).toEqual([
      'gone is disabled. Run `indexdesk user enable gone` first.',
    ]);
  });
});
