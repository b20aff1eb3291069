import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder, loadFile, writeFiles } from '#tests/support/load.ts';
import { placeOf } from '../cli/program.ts';

const guid = (number: number) => `bbbbbbbb-0000-0000-0000-00000000000${number}`;
const known = (rule: string) => [{ name: 'KNOWN', rule, severity: 'block' }];
const FIRMS = {
  guid: guid(1),
  name: 'FIRMS',
  columns: [{ name: 'NAME', type: 'text' }],
  datasets: [{ NAME: 'Acme' }, { NAME: 'Bolt' }],
};
const STAFF = {
  guid: guid(2),
  name: 'STAFF',
  columns: [{ name: 'FIRM', type: 'text' }],
  datasets: [{ FIRM: 'Bolt' }],
};
const BILLS = {
  guid: guid(3),
  table: 'BILLS',
  name: 'Bills',
  indexFields: [{ name: 'FIRM', type: 'text' }],
};
const folder = buildFolder();

describeOnOneDatabase('checks that refuse rows of a load', (open, { prepare }) => {
  let config: DatabaseConfig;
  beforeEach(async () => {
    config = await prepare();
  });
  const load = async (definition: object) => {
    await writeFiles(folder, { 'definition.json': definition });
    const database = await open(config);
    return loadFile(database, config.dataDir, join(folder, 'definition.json'));
  };

  it('look up values in tables that are further down the file', async () => {
    await load({ tables: [{ ...FIRMS, datasets: [] }] });
    const staff = { ...STAFF, checks: known('FIRM in FIRMS.NAME') };
    expect(await load({ tables: [staff, FIRMS] })).toMatchObject({ failed: [] });
  });

  it('look up values in tables also where the file does not name the checks', async () => {
    const checks = known('FIRM in FIRMS.NAME');
    const none = { ...FIRMS, datasets: [] };
    await load({ tables: [none, { ...STAFF, datasets: [], checks }] });
    await load({ archives: [{ ...BILLS, checks }] });
    const bills = { ...BILLS, documents: [{ indexFields: [{ name: 'FIRM', value: 'Bolt' }] }] };
    const loaded = await load({ archives: [bills], tables: [STAFF, FIRMS] });
    expect(loaded).toMatchObject({ failed: [] });
  });

  it('look up values among the rows of the load, but for bad rows', async () => {
    const columns = ['NO', 'PARENT'].map((name) => ({ name, type: 'text' }));
    const nodes = { guid: guid(4), name: 'NODES', columns, checks: known('PARENT in NODES.NO') };
    const tree = [{ NO: '2', PARENT: '1' }, { NO: '1' }];
    expect(await load({ tables: [{ ...nodes, datasets: tree }] })).toMatchObject({ failed: [] });
    const wrong = [
      { NO: '5', PARENT: '4' },
      { NO: '4', PARENT: '3' },
    ];
    const refused = await load({ tables: [{ ...nodes, datasets: [...tree, ...wrong] }] });
    expect(refused.failed.filter((line) => line.includes('PARENT'))).toHaveLength(2);
  });

  it.each([['without ids'], ['with ids']])(
    'look up values in rows of any place in the file: %s',
    async (kind) => {
      const columns = ['NO', 'PARENT'].map((name) => ({ name, type: 'text' }));
      const checks = known('PARENT in NODES.NO');
      const nodes = { guid: guid(4), name: 'NODES', columns, checks };
      // More rows than are stored together.
      const others = Array.from({ length: 600 }, (_, at) => ({ NO: `${at}` }));
      const withIds = (rows: object[]) =>
        kind === 'with ids' ? rows.map((row, at) => ({ ...row, jrid: at + 1 })) : rows;
      const tree = [{ NO: 'a', PARENT: 'b' }, ...others, { NO: 'b', PARENT: 'a' }];
      const wrong = [{ NO: 'c', PARENT: 'x' }, ...tree, { NO: 'd', PARENT: 'c' }, { NO: 'e' }];
      const refused = await load({ tables: [{ ...nodes, datasets: withIds(wrong) }] });
      expect(refused.failed.filter((line) => line.includes('PARENT'))).toEqual([
        expect.stringContaining('entry 1:'),
        expect.stringContaining('entry 604:'),
      ]);
      const loaded = await load({ tables: [{ ...nodes, datasets: withIds(tree) }] });
      expect(loaded).toMatchObject({
        failed: [],
        result: { collections: [{ added: 602, bad: 0 }] },
      });
    },
  );

  it('are reported together with other bad rows, also where a check looks up values of the rows', async () => {
    const columns = ['NO', 'PARENT', 'CODE'].map((name) => ({
      name,
      type: 'text',
      unique: name === 'CODE',
    }));
    const long = { name: 'LONG', rule: 'length(NO) < 4', severity: 'block' };
    const checks = [...known('PARENT in NODES.NO'), long];
    const datasets = [
      { NO: 'longer' },
      { NO: 'longest', PARENT: '1' },
      { NO: '2', PARENT: '1' },
      { NO: '1', CODE: 'a' },
      { NO: '3', CODE: 'a' },
    ];
    const { failed } = await load({
      tables: [{ guid: guid(4), name: 'NODES', columns, checks, datasets }],
    });
    expect(failed.filter((line) => line.includes('entry'))).toEqual([
      expect.stringMatching('entry 1: .*LONG'),
      expect.stringMatching('entry 2: .*LONG'),
      expect.stringMatching('entry 5: CODE'),
    ]);
  });

  it('end soon where many rows look up each other, the last of which is bad', async () => {
    const columns = ['NO', 'PARENT'].map((name) => ({ name, type: 'text' }));
    const count = 400;
    const chain = Array.from({ length: count }, (_, at) => ({ NO: `${at}`, PARENT: `${at + 1}` }));
    const checks = known('PARENT in NODES.NO');
    const { failed } = await load({
      tables: [{ guid: guid(4), name: 'NODES', columns, checks, datasets: chain }],
    });
    expect(failed.filter((line) => line.includes('KNOWN'))).toHaveLength(10);
    expect(failed).toContainEqual(expect.stringContaining('rows that are refused'));
  });

  it('know the day of the time zone that is set', async () => {
    // The two are never on the same day.
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    const day = new Intl.DateTimeFormat('sv', { timeZone: east }).format();
    const table = {
      ...FIRMS,
      columns: [{ name: 'DAY', type: 'date' }],
      checks: known('DAY <= today'),
    };
    await writeFiles(folder, { 'days.json': { tables: [{ ...table, datasets: [{ DAY: day }] }] } });
    const loadIn = (zone: string) => {
      const ignore = () => undefined;
      const args = ['load', ...placeOf(config), join(folder, 'days.json')];
      return runCommandLine(args, { INDEXDESK_TIME_ZONE: zone }, { out: ignore, err: ignore });
    };
    expect(await loadIn(west)).toBe(1);
    expect(await loadIn(east)).toBe(0);
  });
});
