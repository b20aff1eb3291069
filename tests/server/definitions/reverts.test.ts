/** @module-tag slow */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  definedTablesAnswer,
  definitionHistoryAnswer,
  planAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { datasetsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases, describeOnOneDatabase } from '#tests/support/databases.ts';
import { repeated, sampled } from '#tests/support/effort.ts';
import type { Database } from '#server/database/database.ts';

type Column = Readonly<Record<string, unknown>> & { readonly name: string };

/** A table whose definition is changed and reverted. */
class ChangedTable {
  readonly #admin: TestClient;
  readonly path: string;
  readonly datasets: string;

  constructor(admin: TestClient, guid: string) {
    this.#admin = admin;
    this.path = `configuration/tables/${guid}`;
    this.datasets = `application/dataapp/tables/${guid}/datasets`;
  }

  async get() {
    const [table] = definedTablesAnswer.parse((await this.#admin.get(this.path)).body).tables;
    if (!table) throw new Error('There is no table.');
    return table;
  }

  /** The columns, those in use and the retired ones. */
  async columns() {
    const { columns } = await this.get();
    return {
      active: columns.filter(({ retiredAt }) => retiredAt === null),
      retired: columns.filter(({ retiredAt }) => retiredAt !== null),
    };
  }

  async put(columns: readonly Column[], onMisfit?: 'keep') {
    const table = await this.get();
    return this.#admin.put(
      this.path,
      { table: { ...table, columns }, ...(onMisfit && { onMisfit }) },
      { headers: { 'if-match': `"${table.version}"` } },
    );
  }

  async values(): Promise<Record<string, unknown>[]> {
    const { body } = await this.#admin.get(`${this.datasets}?sort=jrid`);
    return datasetsAnswer.parse(body).datasets.map((dataset) => {
      const { jrid: _, ...values } = dataset;
      return values;
    });
  }

  async save(jrid: number, dataset: object) {
    const { status, text } = await this.#admin.put(`${this.datasets}/${jrid}`, { dataset });
    if (status !== 200) throw new Error(text);
  }

  /** The id of the newest entry of the definition's history. */
  async newest(): Promise<string> {
    const { body } = await this.#admin.get(`${this.path}/history`);
    const [newest] = definitionHistoryAnswer.parse(body).history;
    return newest?.historyId ?? '';
  }

  /** The changes that the revert of the newest entry would make. */
  async planOfRevert() {
    const { body } = await this.revert(await this.newest(), '?dryRun=true');
    return planAnswer.parse(body).plan.changes;
  }

  async revert(historyId: string, query = '') {
    return this.#admin.post(`${this.path}/history/${historyId}/revert${query}`);
  }
}

async function openAsAdmin(open: () => Promise<Database>) {
  const t = await openApp(open);
  await buildUser(t.database, { username: 'admin', role: 'administrator' });
  return { database: t.database, signedIn: t.signedIn, admin: await t.signedIn('admin') };
}

async function buildChangedTable(
  { database, admin }: Pick<Awaited<ReturnType<typeof openAsAdmin>>, 'database' | 'admin'>,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<ChangedTable> {
  const built = await buildTable(
    database,
    columns.map((name) => ({ name, type: 'text' })),
  );
  const table = new ChangedTable(admin, built.guid);
  expect(await admin.post(table.datasets, { datasets: rows })).toMatchObject({ status: 200 });
  return table;
}

const restored = (column: Column): Column => ({ ...column, retiredAt: null });

/** A column as it was, whose values may be hidden for another reason or since another time. */
function described(column: Column): Partial<Column> {
  const { retiredAt: _, stoodAfter: _place, ...rest } = column;
  return rest;
}

/** What administrators do to the columns at random. */
const step = fc.record({
  kind: fc.constantFrom(
    'add',
    'retire',
    'restore',
    'rename',
    'swap',
    'move',
    'convert',
    'keep',
    'describe',
  ),
  place: fc.nat(5),
  other: fc.nat(5),
  type: fc.constantFrom('text', 'integer', 'decimal', 'boolean', 'date'),
  readAs: fc.constantFrom(null, 'de-DE'),
  isReverted: fc.boolean(),
  isRevertReverted: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The columns as a step wants them; undefined: it cannot be done. */
function afterStep(
  { kind, place, other, type, readAs }: Step,
  { active, retired }: Awaited<ReturnType<ChangedTable['columns']>>,
  count: number,
): Column[] | undefined {
  const one = active[place % active.length];
  const second = active[other % active.length];
  if (!one || !second) return undefined;
  const replace = (columns: Readonly<Record<string, Partial<Column>>>) =>
    active.map((column) => ({ ...column, ...columns[column.name] }));
  switch (kind) {
    case 'add':
      return [...active, { name: `C${count}`, type: 'text' }];
    case 'retire':
      return active.length > 1 ? active.filter((column) => column !== one) : undefined;
    case 'restore': {
      const found = retired[place % Math.max(retired.length, 1)];
      return found && [restored(found), ...active];
    }
    case 'rename':
      return replace({ [one.name]: { name: `C${count}`, renamedFrom: one.name } });
    case 'swap':
      if (one === second) return undefined;
      return replace({
        [one.name]: { name: second.name, renamedFrom: one.name },
        [second.name]: { name: one.name, renamedFrom: second.name },
      });
    case 'move':
      return [one, ...active.filter((column) => column !== one)];
    case 'convert':
    case 'keep':
      return replace({ [one.name]: { type, scale: type === 'decimal' ? 2 : null, readAs } });
    case 'describe':
      return replace({ [one.name]: { label: `Label ${count}` } });
  }
  return kind satisfies never;
}

const ROWS = [
  { N: 'x', E: '1' },
  { N: '5', E: 'true' },
  { N: ' 7 ', E: '2024-12-31' },
  { N: '1.500', E: '31.12.2024' },
  { N: null, E: '2,5' },
];

describeOnBothDatabases('a revert', (open) => {
  it('of a conversion brings back what was kept, and converts what was changed since', async () => {
    const texts = ['1', 'true', ' 7 ', '31.12.2024', null, 'no'];
    const rows = texts.map((N) => ({ N, E: 'e' }));
    const table = await buildChangedTable(await openAsAdmin(open), ['N', 'E'], rows);
    const { active } = await table.columns();
    const [N, E] = active;
    if (!N || !E) throw new Error('There are no columns.');
    const boolean = { ...N, type: 'boolean' };
    for (const [changes, expected] of [
      [[], texts],
      [
        [
          [1, false],
          [2, null],
          [4, true],
        ],
        ['false', null, ' 7 ', 'true', null, 'no'],
      ],
    ] as const) {
      expect(await table.put([boolean, E], 'keep')).toMatchObject({ status: 200 });
      expect((await table.columns()).retired).toMatchObject([
        { name: expect.stringMatching(/^N_before_/) },
      ]);
      const conversion = await table.newest();
      for (const [jrid, value] of changes) await table.save(jrid, { N: value });
      await table.put([boolean, { ...E, label: 'Later' }]);
      expect(await table.revert(conversion)).toMatchObject({ status: 200 });
      expect(await table.columns()).toEqual({ active, retired: [] });
      expect((await table.values()).map((row) => row['N'])).toEqual(expected);
    }
  });
});

describeOnOneDatabase('a revert over other changes', (open) => {
  it('of a label changes the label alone, whatever was converted and restored before', async () => {
    const table = await buildChangedTable(await openAsAdmin(open), ['N', 'E'], ROWS);
    const [N, E] = (await table.columns()).active;
    if (!N || !E) throw new Error('There are no columns.');
    const decimal = { ...N, type: 'decimal', scale: 2 };
    expect(await table.put([decimal, E], 'keep')).toMatchObject({ status: 200 });
    const [original] = (await table.columns()).retired;
    if (!original) throw new Error('Nothing was kept.');
    const shown = restored(original);
    expect(await table.put([decimal, E, shown])).toMatchObject({ status: 200 });
    const values = await table.values();
    expect(values.map((row) => row['N_before_1'])).toEqual(ROWS.map((row) => row.N));
    const labelled = { ...E, label: 'Label' };
    expect(await table.put([decimal, labelled, shown])).toMatchObject({ status: 200 });
    expect(await table.planOfRevert()).toMatchObject([
      { kind: 'describe', field: 'E', properties: ['label'] },
    ]);
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    expect(await table.values()).toEqual(values);
  });

  it('of a conversion is refused where a value was changed that cannot be converted back', async () => {
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], [{ N: '5' }, { N: '6' }]);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    const integer = { ...N, type: 'integer' };
    expect(await table.put([integer])).toMatchObject({ status: 200 });
    expect(await table.put([N])).toMatchObject({ status: 200 });
    const conversion = await table.newest();
    await table.save(1, { N: 'five' });
    expect(await table.revert(conversion)).toMatchObject({
      status: 409,
      body: { code: 'definition_conflict', plan: { changes: [{ misfits: 1 }] } },
    });
    expect(await table.values()).toEqual([{ N: 'five' }, { N: '6' }]);
  });

  it('of a conversion converts the values back where what was kept is purged', async () => {
    const service = await openAsAdmin(open);
    const table = await buildChangedTable(service, ['N'], [{ N: 'x' }, { N: '5' }]);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    expect(await table.put([{ ...N, type: 'integer' }], 'keep')).toMatchObject({ status: 200 });
    const conversion = await table.newest();
    const confirm = 'N_before_1';
    const purged = await service.admin.post(`${table.path}/columns/${confirm}/purge`, { confirm });
    expect(purged).toMatchObject({ status: 204 });
    expect(await table.revert(conversion)).toMatchObject({ status: 200 });
    expect(await table.columns()).toEqual({ active: [N], retired: [] });
    expect(await table.values()).toEqual([{ N: null }, { N: '5' }]);
  });

  it('leaves what was restored and changed since in its field', { tags: ['long'] }, async () => {
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], [{ N: 'x' }, { N: '5' }]);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    const integer = { ...N, type: 'integer' };
    expect(await table.put([integer], 'keep')).toMatchObject({ status: 200 });
    const conversion = await table.newest();
    const [kept] = (await table.columns()).retired;
    if (!kept) throw new Error('Nothing was kept.');
    expect(await table.put([integer, { ...kept, retiredAt: null }])).toMatchObject({ status: 200 });
    await table.save(1, { N_before_1: 'changed' });
    expect(await table.put([integer])).toMatchObject({ status: 200 });
    expect(await table.revert(conversion)).toMatchObject({ status: 200 });
    const { active, retired } = await table.columns();
    expect(await table.values()).toEqual([{ N: null }, { N: '5' }]);
    expect(await table.put([...active, ...retired.map(restored)])).toMatchObject({ status: 200 });
    expect((await table.values())[0]).toMatchObject({ N_before_1: 'changed' });
  });

  it('of an old conversion brings the values back over later ones', async () => {
    const rows = [{ N: '5' }, { N: '12' }, { N: null }];
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], rows);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    expect(await table.put([{ ...N, type: 'integer' }])).toMatchObject({ status: 200 });
    const conversion = await table.newest();
    expect(await table.put([{ ...N, type: 'decimal', scale: 2 }])).toMatchObject({ status: 200 });
    expect(await table.revert(conversion)).toMatchObject({ status: 200 });
    expect(await table.columns()).toEqual({ active: [N], retired: [] });
    expect(await table.values()).toEqual(rows);
  });

  it('of a revert brings the converted values back, and reads texts as they were read before', async () => {
    const rows = [{ N: '1.500' }, { N: '2,5' }, { N: null }, { N: '7' }];
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], rows);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    const decimal = { ...N, type: 'decimal', scale: 2, readAs: 'de-DE' };
    expect(await table.put([decimal])).toMatchObject({ status: 200 });
    const { active } = await table.columns();
    const converted = await table.values();
    expect(converted).toEqual([{ N: 1500 }, { N: 2.5 }, { N: null }, { N: 7 }]);
    await table.save(4, { N: 8 });
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    expect(await table.values()).toEqual([...rows.slice(0, 3), { N: '8' }]);
    await table.save(2, { N: '2.500' });
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    expect(await table.columns()).toEqual({ active, retired: [] });
    expect(await table.values()).toEqual([{ N: 1500 }, { N: 2500 }, { N: null }, { N: 8 }]);
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    expect(await table.columns()).toEqual({ active: [N], retired: [] });
    expect(await table.values()).toEqual([{ N: '1.500' }, { N: '2.500' }, { N: null }, { N: '8' }]);
  });

  it('of a revert keeps again what had been kept', { tags: ['long'] }, async () => {
    const rows = [{ N: '31.12.2024' }, { N: 'x' }];
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], rows);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    const date = { ...N, type: 'date', readAs: 'de-DE' };
    expect(await table.put([date], 'keep')).toMatchObject({ status: 200 });
    const converted = await table.columns();
    const values = await table.values();
    expect(values).toEqual([{ N: '2024-12-31' }, { N: null }]);
    for (let count = 0; count < 2; count++) {
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      expect(await table.columns()).toEqual({ active: [N], retired: [] });
      expect(await table.values()).toEqual(rows);
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      expect(await table.columns()).toEqual(converted);
      expect(await table.values()).toEqual(values);
    }
    const [kept] = converted.retired;
    if (!kept) throw new Error('Nothing was kept.');
    expect(await table.put([date, restored(kept)])).toMatchObject({ status: 200 });
    expect((await table.values()).map((row) => row['N_before_1'])).toEqual(
      rows.map((row) => row.N),
    );
  });

  it(
    'of a revert leaves nothing of what was kept after its purge',
    { tags: ['long'] },
    async () => {
      const service = await openAsAdmin(open);
      const table = await buildChangedTable(service, ['N'], [{ N: 'x' }, { N: '5' }]);
      const [N] = (await table.columns()).active;
      if (!N) throw new Error('There is no column.');
      expect(await table.put([{ ...N, type: 'integer' }], 'keep')).toMatchObject({ status: 200 });
      for (let count = 0; count < 2; count++) {
        expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
        expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      }
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      await table.save(1, { N: '6' });
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      const revert = await table.newest();
      const history = async () => (await service.admin.get(`${table.datasets}/1/history`)).text;
      expect(await history()).toContain('"x"');
      const confirm = 'N_before_1';
      const purged = await service.admin.post(`${table.path}/columns/${confirm}/purge`, {
        confirm,
      });
      expect(purged).toMatchObject({ status: 204 });
      expect(await history()).not.toContain('"x"');
      expect(await table.revert(revert)).toMatchObject({ status: 200 });
      expect(await table.values()).toEqual([{ N: '6' }, { N: '5' }]);
    },
  );

  it(
    'does not hide what was kept where the field that had its values is purged',
    { tags: ['long'] },
    async () => {
      const service = await openAsAdmin(open);
      const table = await buildChangedTable(service, ['N', 'M'], [{ N: 'x', M: 'm' }]);
      const [N, M] = (await table.columns()).active;
      if (!N || !M) throw new Error('There are no columns.');
      expect(await table.put([{ ...N, type: 'integer' }, M], 'keep')).toMatchObject({
        status: 200,
      });
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
      const revert = await table.newest();
      expect(await table.put([M])).toMatchObject({ status: 200 });
      const purged = await service.admin.post(`${table.path}/columns/N/purge`, { confirm: 'N' });
      expect(purged).toMatchObject({ status: 204 });
      expect(await table.revert(revert)).toMatchObject({ status: 200 });
      const [kept] = (await table.columns()).retired;
      expect(kept).toMatchObject({ name: 'N_before_1' });
    },
  );

  it('leaves a field hidden from a person over conversions, reverts and a purge', async () => {
    const service = await openAsAdmin(open);
    const table = await buildChangedTable(service, ['N', 'M'], [{ N: 'x', M: 'm' }]);
    const [N, M] = (await table.columns()).active;
    if (!N || !M) throw new Error('There are no columns.');
    await buildUser(service.database, { username: 'eve' });
    const right = { right: 'write', fields: { N: 'hidden' } };
    const rights = { tables: { [table.path.replace(/.*\//, '')]: right } };
    await service.admin.patch('configuration/users/eve', { user: { rights } });
    const eve = await service.signedIn('eve');
    const seen = async () =>
      datasetsAnswer
        .parse((await eve.get(table.datasets)).body)
        .datasets.flatMap((dataset) => Object.keys(dataset));
    expect(await seen()).toEqual(['jrid', 'M']);
    expect(await table.put([{ ...N, type: 'integer' }, M], 'keep')).toMatchObject({ status: 200 });
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
    const confirm = 'N_before_1';
    const purged = await service.admin.post(`${table.path}/columns/${confirm}/purge`, { confirm });
    expect(purged).toMatchObject({ status: 204 });
    expect(await seen()).toEqual(['jrid', 'M']);
  });

  const widenings = sampled(2, [
    [{ maxLength: 5 }, { maxLength: 10 }, '12345678'],
    [{ required: true }, { required: false }, null],
    [{ options: ['1', '2'] }, { options: ['1', '2', '3'] }, '3'],
    [{ pattern: '[0-9]' }, { pattern: null }, '10'],
  ] as const);
  it.each(widenings)(
    'of %o to %o is refused for values entered since, over a conversion',
    async (...given) => {
      const [narrow, wide, entered] = given;
      const table = await buildChangedTable(await openAsAdmin(open), ['N'], [{ N: '1' }]);
      const [column] = (await table.columns()).active;
      if (!column) throw new Error('There is no column.');
      const N = { ...column, ...narrow };
      expect(await table.put([N])).toMatchObject({ status: 200 });
      expect(await table.put([{ ...N, ...wide }])).toMatchObject({ status: 200 });
      const widened = await table.newest();
      await table.save(1, { N: entered });
      const plain = { ...column, type: 'integer' };
      expect(await table.put([plain])).toMatchObject({ status: 200 });
      expect(await table.revert(widened)).toMatchObject({
        status: 409,
        body: { code: 'definition_conflict', plan: { changes: [{ misfits: 1 }] } },
      });
      expect(await table.values()).toEqual([{ N: entered && Number(entered) }]);
      await table.save(1, { N: 2 });
      expect(await table.revert(widened)).toMatchObject({ status: 200 });
      expect(await table.values()).toEqual([{ N: '2' }]);
    },
  );

  it('counts values that come back where nothing was shown', { tags: ['long'] }, async () => {
    const rows = [{ N: 'x' }, { N: '5' }, { N: null }];
    const table = await buildChangedTable(await openAsAdmin(open), ['N'], rows);
    const [N] = (await table.columns()).active;
    if (!N) throw new Error('There is no column.');
    expect(await table.put([{ ...N, type: 'integer' }], 'keep')).toMatchObject({ status: 200 });
    expect(await table.planOfRevert()).toMatchObject([{ field: 'N', affected: 2, misfits: 0 }]);
  });
});

describeOnOneDatabase('a revert of the newest change', (open) => {
  it('restores the definition and the values', { tags: ['slow'] }, async () => {
    const service = await openAsAdmin(open);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const table = await buildChangedTable(service, ['N', 'E', 'K'], ROWS);
        for (const [count, one] of steps.entries()) {
          const before = await table.columns();
          const { version } = await table.get();
          const values = await table.values();
          const wanted = afterStep(one, before, count);
          const onMisfit = one.kind === 'keep' ? 'keep' : undefined;
          const answer = wanted && (await table.put(wanted, onMisfit));
          if (answer?.status !== 200 || (await table.get()).version === version) continue;
          if (one.kind === 'describe') {
            expect(await table.planOfRevert()).toMatchObject([
              { kind: 'describe', properties: ['label'] },
            ]);
          }
          if (!one.isReverted) continue;
          const changed = await table.columns();
          const changedValues = await table.values();
          expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
          const after = await table.columns();
          expect(after.active).toEqual(before.active);
          expect(after.retired.map(described)).toEqual(
            expect.arrayContaining(before.retired.map(described)),
          );
          // A field that is added is retired by the revert.
          const added = one.kind === 'add' ? 1 : 0;
          expect(after.retired).toHaveLength(before.retired.length + added);
          expect(await table.values()).toEqual(values);
          if (!one.isRevertReverted) continue;
          expect(await table.revert(await table.newest())).toMatchObject({ status: 200 });
          const again = await table.columns();
          expect(again.active).toEqual(changed.active);
          expect(again.retired.map(described)).toEqual(changed.retired.map(described));
          expect(await table.values()).toEqual(changedValues);
        }
      }),
      { numRuns: repeated(10) },
    );
  });
});
