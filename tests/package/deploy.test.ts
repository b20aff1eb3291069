import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '#server/http/paths.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { PROXIES, send, type Proxy } from './support/proxies.ts';
import { PASSWORD } from './support/use-service.ts';

const DEPLOY = resolve(import.meta.dirname, '../../examples/deploy');
const MEBIBYTE = 1024 * 1024;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexdesk-deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(PROXIES)('behind $name', (kind) => {
  describe.skipIf(isMissing(kind.obstacle))('with HTTPS as in its example', () => {
    let service: ServiceProcess;
    let proxy: Proxy;
    beforeAll(async () => {
      const own = await mkdtemp(join(folder, 'proxy-'));
      service = await startService({
        dataDir: join(own, 'data'),
        args: ['--trusted-proxies', '127.0.0.1'],
        environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD, INDEXDESK_LOG_LEVEL: 'info' },
      });
      proxy = await kind.start(own, [Number(new URL(service.url).port)]);
    });
    afterAll(async () => {
      await proxy.stop();
      await service.stop();
    });
    const api = (path: string) => `${BASE}application/${path}`;
    const signIn = async () => {
      const answer = await send(proxy, 'POST', api('sessions'), {
        json: { username: 'admin', password: PASSWORD },
        // A client cannot choose an address.
        headers: { 'x-forwarded-for': '192.0.2.66' },
      });
      const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat();
      return { ...answer, cookie: cookie.split(';')[0] ?? '' };
    };

    it('is signed in to on a port of its own, with cookies for HTTPS alone', async () => {
      const { status, cookie, headers, text } = await signIn();
      expect([status, text]).toEqual([201, expect.stringContaining('"sessions"')]);
      expect(cookie).toMatch(/^__Host-/);
      expect(headers['strict-transport-security']).toMatch(/max-age=\d+/);
      const entry = service
        .log()
        .split('\n')
        .find((line) => line.includes('"signed in"'));
      expect(JSON.parse(entry ?? '{}')).toMatchObject({ address: '127.0.0.1' });
    });

    it('redirects pages to HTTPS, and refuses programs without it', async () => {
      const get = (path: string) => fetch(`${proxy.plainUrl}${path}`, { redirect: 'manual' });
      const page = await get('/archives/INVOICES');
      expect(page.status).toBe(301);
      expect(page.headers.get('location')).toMatch(/^https:\/\/localhost.*\/archives\/INVOICES$/);
      expect((await get(api('sessions'))).status).toBe(403);
    });

    it('passes corrections on, and bodies that are larger than its own limit', async () => {
      const { cookie } = await signIn();
      const path = 'archiveapp/archives/INVOICES/documents/10001/indexdata';
      const body = (value: string) => ({
        json: { indexFields: [{ name: 'REMARK', value }] },
        headers: { cookie },
      });
      const saved = await send(proxy, 'PATCH', api(path), body('through the proxy'));
      expect([saved.status, saved.text]).toEqual([
        200,
        expect.stringContaining('through the proxy'),
      ]);
      // The service itself refuses it: the field is shorter.
      const large = await send(proxy, 'PATCH', api(path), body('x'.repeat(5 * MEBIBYTE)));
      expect([large.status, large.text]).toEqual([422, expect.stringContaining('REMARK')]);
    });
  });
});

/** Why the unit cannot be checked here, with the remedy; null where it can. */
function obstacleToSystemd(): string | null {
  const { status } = spawnSync('systemd-analyze', ['--version']);
  return status === 0
    ? null
    : 'systemd-analyze is missing. Debian, Ubuntu: sudo apt-get install systemd';
}

describe.skipIf(isMissing(obstacleToSystemd()))('the unit of systemd', () => {
  const MAX_EXPOSURE = 20;

  it('is valid, and confines the service', async () => {
    const text = await readFile(join(DEPLOY, 'indexdesk.service'), 'utf8');
    // Its command has to exist where it is checked.
    const bin = resolve(import.meta.dirname, '../../bin/indexdesk.js');
    const adapted = text
      .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
      .replace(/\/opt\/\S+\/indexdesk\.js/, bin);
    expect(adapted).toContain(bin);
    const unit = join(folder, 'indexdesk.service');
    await writeFile(unit, adapted);
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, '']);
    const threshold = `--threshold=${MAX_EXPOSURE}`;
    const report = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', threshold, unit],
      { encoding: 'utf8' },
    );
    expect(report).toMatch(/Overall exposure level for indexdesk\.service: \d/);
  });
});
