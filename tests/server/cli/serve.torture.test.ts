import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder } from '#tests/support/load.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { placeOf, PROJECT, run, signIn } from './program.ts';
import { PASSWORD } from '#tests/support/password.ts';

describe('serve in a checkout that is not built', () => {
  it('says what to run, and answers the interface', async () => {
    const checkout = buildFolder();
    for (const part of ['bin', 'src/server', 'src/shared', 'package.json'])
      await cp(join(PROJECT, part), join(checkout, part), { recursive: true });
    await symlink(join(PROJECT, 'node_modules'), join(checkout, 'node_modules'));
    const running = await startService({
      dataDir: join(checkout, 'data'),
      args: ['--empty'],
      program: join(checkout, 'bin', 'indexdesk.js'),
    });
    expect(running.log()).toMatch(/^The web admin is not built: .*npm run build.*npm start/m);
    const page = await fetch(running.url);
    expect([page.status, await page.text()]).toEqual([
      404,
      expect.stringContaining('npm run build'),
    ]);
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
    expect(await running.stop()).toBe(0);
  });
});

describeOnOneDatabase('a service that runs', (_, { prepare }) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  it('lets users be added and disabled meanwhile', async () => {
    const config = await prepare();
    service = await startService({
      ...config,
      args: ['--empty'],
      environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    });
    const { url } = service;
    expect((await signIn(url, 'admin', PASSWORD)).status).toBe(201);
    const added = await run(['user', 'add', 'joe', ...placeOf(config)], {
      INDEXDESK_USER_PASSWORD: PASSWORD,
    });
    expect(added).toMatchObject({ code: 0, err: '' });
    const { status, cookie } = await signIn(url, 'joe', PASSWORD);
    expect(status).toBe(201);
    const session = () => fetch(`${url}/api/rest/v2/application/sessions`, { headers: { cookie } });
    expect((await session()).status).toBe(200);
    expect((await run(['user', 'disable', 'joe', ...placeOf(config)])).code).toBe(0);
    await expect.poll(async () => (await session()).status).toBe(401);
    expect((await signIn(url, 'joe', PASSWORD)).status).toBe(401);
  });
});
