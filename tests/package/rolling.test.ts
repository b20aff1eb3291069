import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '#server/http/paths.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { freePort } from '#tests/support/free-port.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { PROXIES, send, type Proxy } from './support/proxies.ts';
import { PASSWORD } from './support/use-service.ts';

const CLIENTS = 4;
/** A connection that a process closes while nginx sends on it is answered 502; several in a row are an outage. */
const MAX_ATTEMPTS = 5;
const API = `${BASE}application`;

describe.each(PROXIES.filter(({ name }) => name === 'nginx'))('behind $name', (kind) => {
  describe.skipIf(isMissing(kind.obstacle))('two processes on one PostgreSQL', () => {
    const { prepare } = testDatabases('postgres');
    let folder = '';
    let config: DatabaseConfig;
    const processes = new Map<number, ServiceProcess>();
    let proxy: Proxy;
    const start = async (port: number) => {
      const service = await startService({
        ...config,
        port,
        args: ['--trusted-proxies', '127.0.0.1'],
        environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
      });
      processes.set(port, service);
    };
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'indexdesk-rolling-'));
      config = await prepare();
      for (const port of [await freePort(), await freePort()]) await start(port);
      proxy = await kind.start(folder, [...processes.keys()]);
    });
    afterAll(async () => {
      await proxy.stop();
      await Promise.all([...processes.values()].map((service) => service.kill()));
      await rm(folder, { recursive: true, force: true });
    });

    it('are replaced one after the other while clients save, each save once', async () => {
      const signedIn = await send(proxy, 'POST', `${API}/sessions`, {
        json: { username: 'admin', password: PASSWORD },
      });
      const [cookie = ''] = [signedIn.headers['set-cookie'] ?? []].flat();
      const headers = { cookie: cookie.split(';')[0] ?? '' };
      const pathOf = (client: number) =>
        `${API}/archiveapp/archives/INVOICES/documents/${10_001 + client}`;

      const replaced = new AbortController();
      /** Saves one value after the other until both processes are replaced. @returns how many */
      const saveOn = async (client: number): Promise<number> => {
        let saved = 0;
        while (!replaced.signal.aborted) {
          const value = `save ${saved + 1}`;
          const key = randomUUID();
          let status = 0;
          for (let attempt = 0; attempt < MAX_ATTEMPTS && status !== 200; attempt += 1) {
            const answer = await send(proxy, 'PATCH', `${pathOf(client)}/indexdata`, {
              json: { indexFields: [{ name: 'REMARK', value }] },
              headers: { ...headers, 'idempotency-key': key },
            });
            status = answer.status;
          }
          expect([value, status]).toEqual([value, 200]);
          saved += 1;
        }
        return saved;
      };
      const clients = Array.from({ length: CLIENTS }, (_, client) => saveOn(client));
      for (const [port, service] of processes) {
        expect(await service.stop()).toBe(0);
        await start(port);
      }
      replaced.abort();
      for (const [client, saved] of (await Promise.all(clients)).entries()) {
        expect(saved).toBeGreaterThan(0);
        const last = await send(proxy, 'GET', pathOf(client), { headers });
        expect(last.text).toContain(`save ${saved}`);
        // Version 1 is of the sample; each save is one more, a repeated one none.
        expect(last.headers['etag']).toBe(`"${saved + 1}"`);
      }
    });
  });
});
