/** @module-tag slow */
import { afterEach, expect, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import {
  startService,
  type ServiceOptions,
  type ServiceProcess,
} from '#tests/support/service-process.ts';
import { Clerks } from './clerks.ts';
import { prepareLedger, USERNAME } from './ledger-content.ts';
import { lossesAndDoubles, nothingIsLost } from './losses.ts';
import { IS_LONG_RUN, repeated } from '#tests/support/effort.ts';

/** How often the service is killed; more to look for what is rare. */
const ROUNDS = repeated(1);
/** The kinds of writes of the clerks. */
const KINDS = ['change', 'create', 'document', 'revision', 'revisions'];
/** How many writes are answered at most between two kills. */
const MOST_BETWEEN = IS_LONG_RUN ? 100 : 30;
/** All that was ever written is looked at, so that it takes longer each time. */
const CHECK_EVERY = ROUNDS > 10 ? 10 : 1;

describeOnOneDatabase('a service that is killed while 16 clients write', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'has every answered write, whole and once, after each restart',
    { timeout: 300_000 + ROUNDS * 20_000 },
    async () => {
      const config = await databases.prepare();
      await prepareLedger(config);
      const options: ServiceOptions = { ...config, args: ['--empty'] };
      service = await startService(options);
      const client = new ServiceClient(service.url);
      await client.signIn(USERNAME, PASSWORD);
      const clerks = new Clerks(client);
      const answered = () => clerks.attempts.filter(({ ids }) => ids !== null);
      const answeredKinds = () => [...new Set(answered().map(({ kind }) => kind))].sort();

      for (let round = 0; round < ROUNDS; round += 1) {
        const working = clerks.work();
        // Each kind of write is answered before the first kill.
        if (round === 0) await expect.poll(answeredKinds).toEqual(KINDS);
        // Somewhere in the midst of what comes next.
        const until = answered().length + Math.random() * MOST_BETWEEN;
        await expect.poll(() => answered().length, { interval: 1 }).toBeGreaterThan(until);
        clerks.killed();
        await service.kill();
        await working;
        service = await startService(options);
        client.url = service.url;
        // The last check comes when more was written.
        if (round % CHECK_EVERY === 0 && IS_LONG_RUN) {
          nothingIsLost(await lossesAndDoubles(client, clerks.attempts));
        }
        await clerks.retry();
      }
      nothingIsLost(await lossesAndDoubles(client, clerks.attempts));

      // Otherwise nothing was under way when the service was killed.
      expect(clerks.attempts.length).toBeGreaterThan(answered().length);
      console.log(
        `${databases.dialect}: ${ROUNDS} kills, ${answered().length} of ${clerks.attempts.length} writes answered`,
      );
    },
  );
});
