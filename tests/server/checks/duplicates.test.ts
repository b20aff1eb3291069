/** @module-tag slow */
import { beforeEach, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { revisionDetailAnswer } from '#shared/contract/answers.ts';
import { fold } from '#shared/values/fold.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { planCopy } from '#server/modules/copying/copy-plan.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { repeated, WAIT_LIMIT } from '#tests/support/effort.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NAME = 'TWICE';
const FIELDS = [
  { name: 'NO', type: 'text' },
  { name: 'PLACE', type: 'text' },
  { name: 'SIZE', type: 'integer' },
];
const CHECK = {
  name: NAME,
  duplicates: [['NO'], ['PLACE', 'SIZE']],
  ignore: ['case'],
  when: 'empty(SIZE) or SIZE < 3',
};
const RECORDS = 8;
const LIMIT = 4 * WAIT_LIMIT;

const VALUES = { NO: ['a', 'A', 'b', null], PLACE: ['x', 'X', 'y', null], SIZE: [1, 2, 3, null] };
const id = fc.integer({ min: 1, max: RECORDS });
const save = (name: keyof typeof VALUES) =>
  fc.record({
    do: fc.constant('save' as const),
    id,
    name: fc.constant(name),
    value: fc.constantFrom(...VALUES[name]),
  });
const step = fc.oneof(
  save('NO'),
  save('PLACE'),
  save('SIZE'),
  { weight: 6, arbitrary: fc.record({ do: fc.constant('except' as const), id, other: id }) },
  fc.record({ do: fc.constant('end' as const), id }),
);

/** Letters, digits, spaces and marks of which some are ignored. */
const CHARACTERS = [
  'a',
  'A',
  'ä',
  'ß',
  'ſ',
  '0',
  '0',
  '1',
  '2',
  '٠',
  '٣',
  '𝟘',
  '𝔸',
  '中',
  '_',
  '-',
  '.',
  ',',
  '„',
  '€',
  '✓',
  '‿',
  ' ',
  '\t',
  '\u00a0',
  '\u3000',
  '\ufeff',
  '\u0301',
  '\u200d',
];
const TYPED = [
  { name: 'TEXT', type: 'text' },
  { name: 'PLAIN', type: 'text' },
  { name: 'AT', type: 'datetime' },
  { name: 'SUM', type: 'decimal', scale: 4 },
  { name: 'DAY', type: 'date' },
  { name: 'TIME', type: 'time' },
  { name: 'PAID', type: 'boolean' },
  { name: 'NUMBER', type: 'integer' },
] as const;
const IGNORED = ['case', 'spaces', 'punctuation', 'leading zeros'];
/** Of each two, one is found by the other in `FOLDED`. */
const NUMBERS = ['RE-007', 'RE-7', '2024-007', '2024007'];
const TYPED_CHECKS = [
  { name: 'FOLDED', duplicates: [['TEXT']], ignore: IGNORED },
  { name: 'SPACED', duplicates: [['TEXT']], ignore: ['spaces'] },
  { name: 'DOTTED', duplicates: [['TEXT']], ignore: ['punctuation'] },
  { name: 'EXACT', duplicates: [['PLAIN'], ['AT', 'SUM'], ['DAY', 'TIME', 'PAID', 'NUMBER']] },
];
const text = fc.string({
  unit: fc.constantFrom(...CHARACTERS),
  maxLength: 4,
});
const typedRecord = fc.tuple(
  text,
  fc.string({ unit: fc.constantFrom('a', 'A', '0', ' '), maxLength: 4 }),
  fc.constantFrom('2026-01-31T00:00:00Z', '2026-01-31T01:00:00+01:00', null),
  fc.constantFrom(0, 1.5, -0.25, 100, 1234.5678, null),
  fc.constantFrom('2026-01-31', '1999-12-31', null),
  fc.constantFrom('00:00:00', '23:59:00', null),
  fc.constantFrom(true, false, null),
  fc.constantFrom(...Array.from({ length: 12 }, (_, i) => i - 5), null),
);

/** What a check compares records by in a list of fields; null: nothing. */
function keyOf(record: readonly Scalar[], list: readonly string[], ignore: readonly string[]) {
  const values = list.map((name) => {
    const place = TYPED.findIndex((field) => field.name === name);
    const value = record[place] ?? null;
    if (ignore.length === 0 || typeof value !== 'string') {
      return equalityKey(TYPED[place]?.type ?? 'text', value);
    }
    let text = ignore.includes('case') ? fold(value) : value;
    if (ignore.includes('spaces')) text = text.replaceAll(/\s/gu, '');
    if (ignore.includes('punctuation')) text = text.replaceAll(/[\p{P}\p{S}]/gu, '');
    if (ignore.includes('leading zeros')) {
      text = text.replaceAll(/(?<!\p{N})0+(?=\p{N})/gu, '');
    }
    return text;
  });
  return values.some((value) => value === null || value === '') ? null : JSON.stringify(values);
}

/** A record as far as it is compared. */
interface Compared {
  readonly id: string;
  /** of each list of fields; null: not compared */
  readonly keys: readonly (string | null)[];
  readonly excepted: readonly string[];
}

describeOnBothDatabases('a check on duplicates', (open, { dialect }) => {
  const keyTables = () =>
    dialect === 'sqlite'
      ? (['check_keys', 'check_record_keys'] as const)
      : (['check_keys'] as const);
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  let path: string;
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, FIELDS);
    const rows = Array.from({ length: RECORDS }, (_, i) => [i < 5 ? 'a' : null, 'y', i]);
    await buildRecords(t.database, built, rows);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
    path = archive.records;
    await archive.put(FIELDS, { checks: [CHECK] });
  });

  const read = async (record: number): Promise<Compared | null> => {
    const { status, body } = await admin.get(`${path}/documents/${record}`);
    if (status === 404) return null;
    const { archivedocumentrevisions, meta } = revisionDetailAnswer.parse(body);
    const fields = archivedocumentrevisions.flatMap(({ indexFields }) => indexFields);
    const valueOf = (name: string) => fields.find((field) => field.name === name)?.value ?? null;
    const size = valueOf('SIZE');
    const takesPart = size === null || Number(size) < 3;
    const keys = CHECK.duplicates.map((list) => {
      const values = list.map(valueOf);
      if (!takesPart || values.includes(null) || values.includes('')) return null;
      return JSON.stringify(values).toLowerCase();
    });
    return {
      id: String(record),
      keys,
      excepted: (meta?.exceptions ?? []).flatMap((one) => one.with ?? []),
    };
  };
  /** What is found by comparing all records with each other. */
  const duplicates = async () => {
    const records: Compared[] = [];
    for (let i = 1; i <= RECORDS; i++) {
      const record = await read(i);
      if (record) records.push(record);
    }
    return records
      .filter((one) =>
        records.some(
          (other) =>
            other !== one &&
            !one.excepted.includes(other.id) &&
            one.keys.some((key, place) => key !== null && key === other.keys[place]),
        ),
      )
      .map((one) => one.id);
  };
  const followed = async () => {
    const expected = await duplicates();
    await vi.waitFor(
      async () => {
        const { checks } = checksAnswer.parse((await admin.get(`${path}/checks`)).body);
        const { body } = await admin.get(`${path}/index/ids?where[check][eq]=${NAME}`);
        const count = checks.find(({ name }) => name === NAME)?.count;
        expect([count, body]).toMatchObject([expected.length, { revisionIds: expected }]);
      },
      { timeout: WAIT_LIMIT, interval: 50 },
    );
  };

  it(
    'finds after any changes what a comparison of all records finds, and leaves nothing behind once it is removed',
    { timeout: LIMIT },
    async () => {
      const rounds = fc.sample(fc.array(step, { minLength: 1, maxLength: 5 }), {
        numRuns: repeated(12),
        seed: 20_261_124,
      });
      await followed();
      for (const steps of rounds) {
        for (const one of steps) {
          const at = `${path}/documents/${one.id}`;
          if (one.do === 'save') {
            const { name, value } = one;
            await admin.patch(`${at}/indexdata`, { indexFields: [{ name, value }] });
          } else if (one.do === 'end') await admin.delete(`${at}/exceptions/${NAME}`);
          else if (one.other !== one.id) {
            const exception = { reason: 'two', with: [String(one.other)] };
            await admin.put(`${at}/exceptions/${NAME}`, exception);
          }
        }
        await followed();
      }
      for (const record of [1, 4]) {
        expect((await admin.delete(`${path}/documents/${record}`)).status).toBeLessThan(300);
        await followed();
      }
      // As after a restore, which keeps the exceptions alone.
      await t.database.write((db) => db.k.deleteFrom('check_states').execute());
      await followed();

      await archive.put(FIELDS, { checks: [] });
      const stored = () =>
        t.database.read(async (db) => [
          ...(await db.k.selectFrom('check_keys').select('row_id').execute()),
          ...(dialect === 'sqlite'
            ? await db.k.selectFrom('check_record_keys').select('row_id').execute()
            : []),
          ...(await db.k.selectFrom('check_findings').select('row_id').execute()),
          ...((await db.adapter.duplicateKeys?.storedChecks(db)) ?? []),
          ...(await db.adapter.tableNames(db)).filter((name) => name.startsWith('check_findings_')),
        ]);
      expect(await stored()).not.toEqual([]);
      await vi.waitFor(async () => expect(await stored()).toEqual([]));
    },
  );

  it('compares values of all types, and replaces what an interrupted count has left', async () => {
    const records = fc.sample(typedRecord, { numRuns: 90, seed: 20_261_126 });
    for (const number of NUMBERS) records.push([number, '', null, null, null, null, null, null]);
    const built = await buildArchive(t.database, TYPED);
    await buildRecords(t.database, built, records);
    const typed = new ArchiveAdministration(admin, built.name);
    await typed.put(TYPED, { checks: TYPED_CHECKS });
    const counted = () =>
      vi.waitFor(
        async () => {
          const { checks } = checksAnswer.parse((await admin.get(`${typed.records}/checks`)).body);
          for (const { name, duplicates, ignore = [] } of TYPED_CHECKS) {
            const keys = duplicates.map((list) =>
              records.map((record) => keyOf(record, list, ignore)),
            );
            const expected = records.flatMap((_, i) =>
              keys.some((all) => all.some((key, j) => j !== i && key !== null && key === all[i]))
                ? [String(i + 1)]
                : [],
            );
            const at = `${typed.records}/index/ids?where[check][eq]=${name}`;
            const count = checks.find((one) => one.name === name)?.count;
            expect([count, (await admin.get(at)).body]).toMatchObject([
              expected.length,
              { revisionIds: expected },
            ]);
          }
        },
        { timeout: WAIT_LIMIT, interval: 50 },
      );
    await counted();
    expect((await t.database.read(planCopy)).unknownTables).toEqual([]);
    const numbers = NUMBERS.map((_, i) => String(records.length - NUMBERS.length + 1 + i));
    const { body } = await admin.get(`${typed.records}/index/ids?where[check][eq]=FOLDED`);
    expect(body).toMatchObject({ revisionIds: expect.arrayContaining(numbers) });
    await t.database.write(async (db) => {
      const names = [NAME, ...TYPED_CHECKS.map(({ name }) => name)];
      const ofDuplicates = db.k.selectFrom('check_states').where('name', 'in', names);
      const states = await ofDuplicates.select('id').execute();
      for (const table of keyTables()) {
        await db.k.deleteFrom(table).where('row_id', '<', 25).execute();
        await db.k.updateTable(table).set({ key: 7 }).where('row_id', '>', 70).execute();
      }
      const row_id = records.length + 1;
      for (const { id: check_id } of states) {
        const found = { check_id, row_id };
        await db.k.insertInto('check_findings').values(found).execute();
        const key = { ...found, part: 0, key: 7 };
        for (const table of keyTables()) await db.k.insertInto(table).values(key).execute();
      }
      await db.k.updateTable('check_states').set({ count: null, due_at: 0 }).execute();
    });
    await counted();
    const columns = ['check_id', 'part', 'key', 'row_id'] as const;
    const stored = await t.database.read(async (db) => {
      const tables: object[][] = [];
      for (const table of keyTables()) {
        tables.push(await db.k.selectFrom(table).select(columns).execute());
      }
      return tables;
    });
    const [byKey, byRecord] = stored.map((rows) => rows.map((row) => JSON.stringify(row)).sort());
    if (byRecord) expect(byKey).toEqual(byRecord);
    expect(new Set(byKey).size).toBe(byKey?.length);
  });
});
