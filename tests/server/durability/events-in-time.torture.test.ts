import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { openEventStream, type EventClient } from '#tests/support/event-client.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';
import { quantile, staysWithin } from './within.ts';

const EVENTS = 200;
/** How often something is written, in milliseconds. */
const EVERY = 15;
const LIMIT = 250;

describe('three processes on one PostgreSQL database', () => {
  const { prepare } = testDatabases('postgres');
  const services: ServiceProcess[] = [];
  const hearing: EventClient[] = [];
  afterEach(async () => {
    for (const client of hearing) client.close();
    await Promise.all(services.map((service) => service.kill()));
  });

  test('tell clients of the others within 250 ms (p95) what was saved', async () => {
    const config = await prepare();
    await prepareLedger(config);
    const starting = [1, 2, 3].map(() => startService({ ...config, args: ['--empty'] }));
    services.push(...(await Promise.all(starting)));
    const [writer, ...others] = services;
    const client = new ServiceClient(writer?.url ?? '');
    await client.signIn(USERNAME, PASSWORD);
    for (const { url } of others) {
      hearing.push(await openEventStream(Number(new URL(url).port), client));
    }
    let told = 0;
    await staysWithin('p95 from a save to its event elsewhere', LIMIT, async () => {
      const answered: number[] = [];
      // One after the other, so that the nth event is of the nth save.
      for (let i = 0; i < EVENTS; i += 1) {
        const { status } = await client.send({
          method: 'PATCH',
          path: `${ARCHIVE}/documents/${(i % 50) + 1}/indexdata`,
          json: { indexFields: [{ name: 'TOKEN', value: `${told} ${i}` }] },
        });
        answered.push(performance.now());
        expect(status).toBe(200);
        await setTimeout(EVERY);
      }
      const delays = await Promise.all(
        hearing.map(async (stream) => {
          await stream.until(told + EVENTS);
          return stream.events
            .slice(told)
            .map(({ heardAt }, i) => heardAt - (answered[i] ?? Number.NaN));
        }),
      );
      told += EVENTS;
      for (const stream of hearing) expect(stream.events).toHaveLength(told);
      const all = delays.flat();
      console.log(
        `${all.length} events: median ${quantile(all, 0.5).toFixed(0)} ms, longest ${Math.max(...all).toFixed(0)} ms`,
      );
      return quantile(all, 0.95);
    });
  });
});
