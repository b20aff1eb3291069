/** @module-tag postgres */
import { afterEach, describe, expect, test } from 'vitest';
import { testDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { administer } from '#tests/support/postgres-server.ts';
import { repeated } from '#tests/support/effort.ts';

/** How many start at once on an empty database. */
const STARTS = Math.min(10, repeated(2));
const PASSWORD = 'nine otters under the bridge';

describe('processes that start at once on an empty PostgreSQL database', () => {
  const { prepare } = testDatabases('postgres');
  const services: ServiceProcess[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill()));
  });

  test(
    'make the tables, the administrator and the sample once, all of them',
    { timeout: 300_000 + STARTS * 10_000 },
    async () => {
      const config = await prepare();
      // The database of the tests has its tables already.
      await administer(config.databaseUrl ?? '', (client) =>
        client.query('drop schema public cascade; create schema public'),
      );
      const starting = await Promise.allSettled(
        Array.from({ length: STARTS }, () =>
          startService({ ...config, longestStart: 30_000 + STARTS * 8_000 }),
        ),
      );
      for (const one of starting) if (one.status === 'fulfilled') services.push(one.value);
      expect(
        starting.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
      ).toEqual([]);
      const said = services.map((service) => service.log()).join('\n');
      const passwords = [...said.matchAll(/The user admin was created\..* (\S{26})\n/g)];
      expect(passwords).toHaveLength(1);
      expect(said.match(/The sample content was loaded/g)).toHaveLength(1);
      expect(said).not.toMatch(/"level":[56]0/);
      const [generated = ''] = passwords.map(([, password]) => password);
      for (const [i, { url }] of services.entries()) {
        const client = new ServiceClient(url);
        await client.signIn('admin', i === 0 ? generated : PASSWORD);
        if (i === 0) {
          await client.send({
            method: 'PUT',
            path: 'application/users/admin/password',
            json: { current: generated, password: PASSWORD },
          });
        }
        const { body } = await client.send({
          method: 'GET',
          path: 'application/users/admin/archives',
        });
        expect(body).toMatchObject({
          users: { archives: [{ table: 'INVOICES', documents: 200 }] },
        });
      }
    },
  );
});
