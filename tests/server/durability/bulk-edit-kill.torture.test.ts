import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import {
  inDatabase,
  KEEPER,
  MAX_WAIT,
  one,
  planAll,
  prepareArchive,
  stored,
  until,
  untilEnded,
} from './bulk-edit-state.ts';
import { nothingIsLost } from './losses.ts';

const MANY = 6_000;
/** How often the service is killed while it applies, and again while it takes back. */
const KILLS = IS_LONG_RUN ? 2 : 1;

describeOnOneDatabase('A service that is killed in a bulk edit', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'goes on after each restart, with nothing done twice, left out or half done',
    { timeout: 300_000 + 2 * KILLS * MAX_WAIT },
    async () => {
      const config = await databases.prepare();
      const archive = await prepareArchive(config, MANY);
      const options = { ...config, args: ['--empty'] };
      service = await startService(options);
      const client = new ServiceClient(service.url);
      await client.signIn(KEEPER, PASSWORD);
      const at = await planAll(client, archive);

      const killWhile = async (progress: (counts: AnsweredBulkEdit['counts']) => number) => {
        const from = progress((await one(client, 'GET', at)).counts);
        await until(client, at, ({ counts }) => progress(counts) > from);
        await setTimeout(Math.random() * 40);
        await service?.kill();
        const { counts, problems } = await inDatabase(config, (database) =>
          stored(database, archive, MANY),
        );
        nothingIsLost(problems);
        // Otherwise it had ended before it was killed.
        expect(progress(counts)).toBeLessThan(MANY);
        service = await startService(options);
        client.url = service.url;
      };

      await client.send({ method: 'POST', path: `${at}/apply`, json: { onChanged: 'refuse' } });
      for (let kill = 0; kill < KILLS; kill += 1) await killWhile(({ done }) => done);
      expect(await untilEnded(client, at)).toMatchObject({
        state: 'done',
        counts: { done: MANY, pending: 0, conflicts: 0 },
      });

      await client.send({ method: 'POST', path: `${at}/undo` });
      for (let kill = 0; kill < KILLS; kill += 1) await killWhile(({ takenBack }) => takenBack);
      expect(await untilEnded(client, at)).toMatchObject({
        state: 'undone',
        counts: { done: 0, takenBack: MANY, left: 0 },
      });
      await service.stop();
      const { problems, versions, entries } = await inDatabase(config, (database) =>
        stored(database, archive, MANY),
      );
      expect({ problems, versions, entries }).toEqual({
        problems: [],
        versions: [3],
        entries: 2 * MANY,
      });
    },
  );
});
