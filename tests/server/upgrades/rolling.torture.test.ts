/**
 * @module-tag postgres
 * @module-tag slow
 */
import { afterEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { administer } from '#tests/support/postgres-server.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { PASSWORD } from '#tests/support/password.ts';

const LONGEST = 120_000;

describe('several processes on one PostgreSQL', () => {
  const { prepare } = testDatabases('postgres');
  const running: ServiceProcess[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.kill()));
  });
  const start = async (config: DatabaseConfig, ...args: string[]) => {
    const service = await startService({
      ...config,
      args,
      environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    });
    running.push(service);
    return service;
  };
  const readiness = async ({ url }: ServiceProcess) => (await fetch(`${url}/readyz`)).status;

  it(
    'are replaced one after the other under one session, without a lost save',
    async () => {
      const config = await prepare();
      const [first, second] = [await start(config), await start(config)];
      const client = new ServiceClient(first.url);
      await client.signIn('admin', PASSWORD);
      const remark = async (service: ServiceProcess, value: string) => {
        client.url = service.url;
        const saved = await client.send({
          method: 'PATCH',
          path: 'application/archiveapp/archives/INVOICES/documents/10001/indexdata',
          json: { indexFields: [{ name: 'REMARK', value }] },
        });
        return saved.status;
      };
      expect(await remark(first, 'one')).toBe(200);
      expect(await first.stop()).toBe(0);
      expect(await remark(second, 'two')).toBe(200);
      const third = await start(config);
      expect(await readiness(third)).toBe(200);
      expect(await second.stop()).toBe(0);
      expect(await remark(third, 'three')).toBe(200);
      const history = await client.send({
        method: 'GET',
        path: 'application/archiveapp/archives/INVOICES/documents/10001/history',
      });
      expect(history.bytes.toString()).toMatch(/three.*two.*one/s);
    },
    LONGEST,
  );

  it(
    'take no requests of load balancers, and do not start, once a newer one has upgraded the database',
    async () => {
      const config = await prepare();
      const older = await start(config, '--empty');
      const client = new ServiceClient(older.url);
      await client.signIn('admin', PASSWORD);
      const newer = SCHEMA_VERSION + 1;
      await administer(config.databaseUrl ?? '', (sql) =>
        sql.query(`update installation set value = '${newer}' where key = 'schema_version'`),
      );
      await expect.poll(() => readiness(older), { timeout: 10_000 }).toBe(503);
      const list = { method: 'GET', path: 'application/users/admin/archives' } as const;
      expect((await client.send(list)).status).toBe(200);
      await expect(start(config)).rejects.toThrow(
        `The database has version ${newer}, but this Indexdesk supports versions up to ${SCHEMA_VERSION}.`,
      );
    },
    LONGEST,
  );
});
