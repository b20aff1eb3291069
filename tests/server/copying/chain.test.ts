import { beforeAll, describe, expect, it } from 'vitest';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { formatHead, readHead } from '#server/modules/verification/verification.service.ts';
import { testDatabases } from '#tests/support/databases.ts';
import {
  append,
  buildInstallation,
  tamper,
  type Installation,
} from '../verification/installation.ts';
import { placeOf, run, sideOf } from './copy-command.ts';

const PAIRS = [
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
] as const;

describe.each(PAIRS)(
  'the chain of a copy from $from to $to',
  { tags: ['postgres', 'long'] },
  ({ from, to }) => {
    const sources = testDatabases(from);
    const targets = testDatabases(to);
    let t: Installation;
    let head = '';
    beforeAll(async () => {
      t = await buildInstallation(sources);
      await sequenceAllEntries(t.database);
      head = formatHead(await t.database.read(readHead));
    });

    it('is the same, goes on from there, and still tells of what was rewritten', async () => {
      const config = await targets.prepare();
      const copied = await run(['copy', ...sideOf('from', t.config), ...sideOf('to', config)]);
      expect(copied).toMatchObject({ code: 0 });
      const verify = () =>
        run(['verify', '--contents', '--since', head, ...placeOf(config)]).then(
          ({ code, told }) => ({
            code,
            told: told.split('\n').filter((line) => !line.startsWith('Table ')),
          }),
        );
      expect(await verify()).toMatchObject({ code: 0 });

      const target = await targets.open(config);
      expect(formatHead(await target.read(readHead))).toBe(head);
      await append(target, 'after the copy');
      await sequenceAllEntries(target);
      expect(formatHead(await target.read(readHead))).not.toBe(head);
      expect(await verify()).toMatchObject({ code: 0 });

      await tamper(target, (db) =>
        db.k.updateTable('history').set({ address: '10.9.9.9' }).where('id', '=', 1).execute(),
      );
      const { code, told } = await verify();
      expect(code).toBe(1);
      expect(told.join('\n')).toContain('history 1, position 1: the entry was altered');
    });
  },
);
