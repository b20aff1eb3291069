import { beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import { PostgresLists } from '#server/database/postgres/postgres-lists.ts';
import { SqliteLists } from '#server/database/sqlite/sqlite-lists.ts';
import { listCount, listIds, listPage } from '#server/modules/records/lists.service.ts';
import type { Table } from '#server/database/records/collection.ts';
import { fold } from '#shared/values/fold.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildRecords } from '#tests/support/builders.ts';
import { describeOnEveryDatabase } from '#tests/support/databases.ts';
import {
  buildSampleTable,
  condition,
  expected,
  meeting,
  NAMES,
  parameterOf,
  rows,
  SEED,
  sort,
  sortParameter,
  TYPES,
} from './list-samples.ts';
import { repeated } from '#tests/support/effort.ts';

describeOnEveryDatabase('lists', (open, { dialect }) => {
  let database: Database;
  let table: Table;
  beforeAll(async () => {
    database = await open();
    table = await buildSampleTable(database);
    await buildRecords(database, table, rows);
  });
  const page = (parameters: [string, string][]) =>
    database.read((db) => listPage(db, table, parameters));
  const ids = async (parameters: [string, string][]) =>
    (await database.read((db) => listIds(db, table, parameters))).ids.map(Number);

  it('sorts by any fields in either direction, nulls last, then by id', async () => {
    await fc.assert(
      fc.asyncProperty(sort, async (items) => {
        expect(await ids([['sort', sortParameter(items)]])).toEqual(expected(items, () => true));
      }),
      { numRuns: repeated(20), seed: SEED },
    );
  });

  it('walks every record once by `after`, and the same pages by `offset`', async () => {
    await fc.assert(
      fc.asyncProperty(sort, fc.integer({ min: 20, max: 60 }), async (items, limit) => {
        const wanted = expected(items, () => true);
        const walked: number[] = [];
        let after: string | null = null;
        do {
          const parameters: [string, string][] = [
            ['sort', sortParameter(items)],
            ['limit', String(limit)],
          ];
          const byOffset = await page([...parameters, ['offset', String(walked.length)]]);
          const byKey = await page(after === null ? parameters : [...parameters, ['after', after]]);
          expect(byKey.records).toEqual(byOffset.records);
          walked.push(...byKey.records.map(({ id }) => id));
          after = byKey.pagination.next;
        } while (after !== null);
        expect(walked).toEqual(wanted);
      }),
      { numRuns: repeated(10), seed: SEED },
    );
  });

  it('filters by every operator as the values compare', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 2 }), async (conditions) => {
        const parameters = conditions.map(parameterOf);
        const wanted = expected([], meeting(conditions));
        expect(await ids(parameters)).toEqual(wanted);
        expect(await database.read((db) => listCount(db, table, parameters))).toBe(wanted.length);
      }),
      { numRuns: repeated(30), seed: SEED },
    );
  });

  it('finds what meets one condition of each group of alternatives, and all others', async () => {
    const conditions = fc.record({
      required: fc.array(condition, { maxLength: 1 }),
      groups: fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 2,
      }),
    });
    await fc.assert(
      fc.asyncProperty(conditions, sort, async ({ required, groups }, items) => {
        const parameters = [
          ...required.map(parameterOf),
          ...groups.flatMap((group, i) =>
            group.map((one) => {
              const [name, value] = parameterOf(one);
              return [name.replace('where', `or[${i + 1}]`), value] satisfies [string, string];
            }),
          ),
        ];
        const wanted = expected(
          items,
          (values) =>
            meeting(required)(values) &&
            groups.every((group) => group.some((one) => meeting([one])(values))),
        );
        expect(await ids([...parameters, ['sort', sortParameter(items)]])).toEqual(wanted);
        expect(await database.read((db) => listCount(db, table, parameters))).toBe(wanted.length);
      }),
      { numRuns: repeated(30), seed: SEED },
    );
  });

  it('answers filtered pages in any order, at any depth', async () => {
    const query = fc.record({
      conditions: fc.array(condition, { maxLength: 3 }),
      words: fc.subarray(['arger', 'stra', 'b', 'a_'], { maxLength: 1 }),
      items: sort,
      limit: fc.integer({ min: 1, max: 40 }),
      offset: fc.nat(170),
      withTotal: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions, words, items, limit, ...asked }) => {
        const { offset, withTotal } = asked;
        const parameters: [string, string][] = [
          ...conditions.map(parameterOf),
          ['q', words.join(' ')],
          ['sort', sortParameter(items)],
          ['limit', String(limit)],
          ['total', String(withTotal)],
        ];
        const found = new Set(await ids([['q', words.join(' ')]]));
        const inFound = new Map(rows.map((values, i) => [values, found.has(i + 1)]));
        const wanted = expected(
          items,
          (values) => inFound.get(values) === true && meeting(conditions)(values),
        );
        const read = async (place: [string, string]) => {
          const { records, pagination } = await page([...parameters, place]);
          if (withTotal) expect(pagination.total).toBe(wanted.length);
          else expect(Object.keys(pagination)).toEqual(['limit', 'offset', 'next']);
          return { ids: records.map(({ id }) => id), next: pagination.next };
        };
        const deep = await read(['offset', String(offset)]);
        expect(deep.ids).toEqual(wanted.slice(offset, offset + limit));
        if (deep.next !== null) {
          const next = await read(['after', deep.next]);
          expect(next.ids).toEqual(wanted.slice(offset + limit, offset + 2 * limit));
        } else expect(offset + limit).toBeGreaterThanOrEqual(wanted.length);
      }),
      { numRuns: repeated(dialect === 'sqlite' ? 100 : 30), seed: SEED },
    );
  });

  it('runs no statement for the total where it is not wanted', async () => {
    const counting = (parameters: [string, string][]) =>
      database.read(async (db) => {
        let statements = 0;
        const noticing: KyselyPlugin = {
          transformQuery: ({ node }) => {
            // PostgreSQL keeps the total of a list without a filter.
            if (/count\(\*\)|record_counts/.test(JSON.stringify(node))) statements++;
            return node;
          },
          transformResult: ({ result }) => Promise.resolve(result),
        };
        const counted: Transaction = {
          adapter: db.adapter,
          isWrite: db.isWrite,
          startedAt: db.startedAt,
          k: db.k.withPlugin(noticing),
          run: (statement, values) => db.run(statement, values),
          send: (statement, values) => db.send(statement, values),
          notify: (payload) => db.notify(payload),
          runInReadWorker: null,
          get lists() {
            return dialect === 'sqlite'
              ? new SqliteLists(counted, null)
              : new PostgresLists(counted);
          },
        };
        await listPage(counted, table, parameters);
        return statements;
      });
    for (const parameters of [[], [['sort', NAMES[1] ?? '']]] satisfies [string, string][][]) {
      // SQLite also counts the ids of the page that it reads.
      const without = await counting([...parameters, ['total', 'false']]);
      expect(await counting(parameters)).toBe(without + 1);
    }
  });

  it('finds every word of a search as part of any text, short words at the start of a word', async () => {
    const texts = (values: Scalar[]) =>
      values
        .filter((value, i) => TYPES[i] === 'text' && value !== null)
        .map((value) => fold(String(value)));
    const isWord = (character: string | undefined) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character);
    const found = (values: Scalar[], word: string) =>
      texts(values).some((folded) => {
        const short = Array.from(word).length <= 2;
        for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
          if (!short || !isWord(word[0]) || !isWord(Array.from(folded.slice(0, at)).at(-1)))
            return true;
        }
        return false;
      });
    const search = fc.array(
      fc.constantFrom(
        'arger',
        'RGE',
        'stra',
        'SS',
        'b',
        'a_',
        'a%b',
        'neil',
        'il',
        '𝒳',
        'xy',
        "'",
        '"',
        'z',
        'ng',
      ),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(search, async (typed) => {
        const wanted = expected([], (values) => typed.every((word) => found(values, fold(word))));
        expect(await ids([['q', typed.join(' ')]])).toEqual(wanted);
      }),
      { numRuns: repeated(20), seed: SEED },
    );
  });

  it('refuses a position that was made for another sort or filter', async () => {
    const first = await page([
      ['sort', NAMES[1] ?? ''],
      ['limit', '5'],
    ]);
    await expect(
      page([
        ['sort', `-${NAMES[1]}`],
        ['after', first.pagination.next ?? ''],
      ]),
    ).rejects.toThrow(/another sort or filter/);
    await expect(page([['after', 'nonsense']])).rejects.toThrow(/another sort or filter/);
  });
});
