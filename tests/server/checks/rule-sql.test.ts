import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { compileRule, evaluateRule } from '#shared/checks/compile-rule.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import { parsePattern } from '#shared/values/parse-pattern.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { repeated } from '#tests/support/effort.ts';
import { patternParts, textOfPatterns } from '#tests/support/random-patterns.ts';
import {
  RULE_COLUMNS,
  RULE_FIELDS,
  RULE_SCOPE,
  ruleRecord,
  ruleValue,
  validRule,
} from '#tests/support/random-rules.ts';

const CLOCK = { today: '2026-01-31', now: '2026-02-01T01:30:00+02:00' };

/** Texts that differ beyond what an index holds of them. */
const LONG = 'x'.repeat(400);

describeOnBothDatabases('Rules in SQL', (open) => {
  const records: Readonly<Record<string, Scalar>>[] = [
    ...fc.sample(ruleRecord, { numRuns: 60, seed: 21 }),
    { NAME: `${LONG}a`, CODE: `${LONG}b` },
    ...fc.sample(textOfPatterns, { numRuns: 60, seed: 28 }).map((NAME) => ({ NAME })),
  ];
  const suppliers = [
    ...fc.sample(fc.tuple(...RULE_COLUMNS.map(({ type }) => ruleValue(type))), {
      numRuns: 12,
      seed: 21,
    }),
    [`${LONG}b`, null, null, null],
  ];
  let database: Database;
  let archive: Collection;
  let table: Collection;
  beforeAll(async () => {
    database = await open();
    const widened = <Field extends { readonly type: string }>(field: Field) =>
      field.type === 'decimal' ? { ...field, scale: 14 } : field;
    archive = await buildArchive(database, RULE_FIELDS.map(widened));
    table = await buildTable(database, RULE_COLUMNS.map(widened));
    await buildRecords(
      database,
      archive,
      records.map((record) => RULE_FIELDS.map(({ name }) => record[name] ?? null)),
    );
    await buildRecords(database, table, suppliers);
  });

  function parsed(text: string): RuleNode {
    const rule = parseRule(text, RULE_SCOPE);
    if (!rule.ok) throw new Error(`${text}: ${rule.problem.message}`);
    return rule.value;
  }

  const columnOf = ({ column }: { column: string }) => {
    const field = table.fields.find(({ name }) => name === column);
    if (!field) throw new Error(`No column ${column}`);
    return { table, field };
  };

  /** What the database says of each record. */
  async function inDatabase(rule: RuleNode): Promise<(boolean | null)[]> {
    const { rows } = await database.read((db) => {
      const truth = db.adapter.ruleTruth(archive, rule, { ...CLOCK, columnOf });
      const from = sql.table(tableName(archive));
      return sql<{
        truth: boolean | number | null;
      }>`select ${truth} as truth from ${from} order by _id`.execute(db.k);
    });
    return rows.map(({ truth }) => (truth === null ? null : Boolean(truth)));
  }

  /** What the evaluator says of each record. */
  function evaluated(rule: RuleNode): (boolean | null)[] {
    const program = compileRule(rule);
    const isListed = ({ column }: { column: string }, value: Scalar) => {
      const place = RULE_COLUMNS.findIndex(({ name }) => name === column);
      const type = RULE_COLUMNS[place]?.type ?? 'text';
      const key = equalityKey(type, value);
      return suppliers.some((row) => equalityKey(type, row[place] ?? null) === key);
    };
    return records.map((record) =>
      evaluateRule(program, (name) => record[name] ?? null, { ...CLOCK, isListed }),
    );
  }

  it('say of every record what the evaluator says', async () => {
    await fc.assert(
      fc.asyncProperty(validRule, async (text) => {
        const rule = parsed(text);
        expect(await inDatabase(rule)).toEqual(evaluated(rule));
      }),
      { numRuns: repeated(300) },
    );
  });

  it('agree on regular expressions', { tags: ['slow'] }, async () => {
    const patterns = patternParts
      .map((parts) => parts.join(''))
      .filter((pattern) => parsePattern(pattern).ok);
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        const rule = parsed(`NAME matches '${pattern}'`);
        expect(await inDatabase(rule)).toEqual(evaluated(rule));
      }),
      { numRuns: repeated(150) },
    );
  });

  const repeatedly = (count: number, part: string, joint: string) =>
    Array.from({ length: count }, () => part).join(joint);

  it.each([
    ['texts in a table', 'NAME in SUPPLIERS.NO or CODE in SUPPLIERS.NO'],
    ['long texts', `NAME = '${LONG}a' and not NAME in SUPPLIERS.NO`],
    ['brackets', `NET = 1 and ${'(NET + '.repeat(49)}NET${')'.repeat(49)} > 0`],
    ['long sums', `${repeatedly(450, 'VAT', ' + ')} <> 450`],
    ['long products', `${repeatedly(33, 'NET', ' * ')} > 10`],
    ['quotients', `${repeatedly(25, '7', ' / ')} > 0 and NET / VAT / TOTAL > 1`],
    ['long lists', `NAME in (${repeatedly(390, "'a', 'x'", ', ')})`],
    ['repeated alternatives', "NAME matches '(?:(?:a|b?){0,90}|[\\-A])*'"],
    ['odd patterns', "NAME matches '(?:^){2}a|b{0}()$|[^\\d\\s]+?'"],
    ['large patterns', "NAME matches '(x{10}){40}a'"],
    ['large repetitions', "NAME matches 'x{0,900}a'"],
    ['flags', String.raw`NAME matches '(?i)[a-z ]+(?s:.)*' or NAME matches '(?im)^straẞe$(.|\n)*'`],
    [
      'negated classes with flags',
      String.raw`NAME matches '(?i)[[:^alpha:]]' or NAME matches '(?i)[^\P{Lu}]+'`,
    ],
    ['classes of Unicode', String.raw`NAME matches '[\pL\pN_]+' or NAME matches '[^\p{Lu}]{2,}'`],
    ['edges of words', String.raw`NAME matches '.*\bk\b.*' or NAME matches '.\B.*'`],
  ])('agree on %s', async (_, text) => {
    const rule = parsed(text);
    expect(await inDatabase(rule)).toEqual(evaluated(rule));
  });
});
