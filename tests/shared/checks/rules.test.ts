import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '#shared/values/pattern-engine.ts';
import { compileRule, evaluateRule } from '#shared/checks/compile-rule.ts';
import { clockOf } from '#shared/checks/rule-clock.ts';
import { clockUse, referencedColumns, fieldsOf, renameInRule } from '#shared/checks/rule-names.ts';
import type { RuleProblem } from '#shared/checks/rule-problem.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { repeated } from '#tests/support/effort.ts';
import { RULE_SCOPE, RULE_TABLE_GUID, ruleRecord, validRule } from '#tests/support/random-rules.ts';

const CONTEXT = {
  today: '2026-11-23',
  now: '2026-11-23T10:15:00+01:00',
  isListed: (_: unknown, value: Scalar) => value === 'S-1' || value === 12.5,
};

function parsed(text: string): RuleNode {
  const rule = parseRule(text, RULE_SCOPE);
  if (!rule.ok) throw new Error(`${text}: ${rule.problem.message}`);
  return rule.value;
}

function problemOf(text: string): RuleProblem {
  const rule = parseRule(text, RULE_SCOPE);
  if (rule.ok) throw new Error(`Not refused: ${text}`);
  return rule.problem;
}

function evaluate(text: string, record: Readonly<Record<string, Scalar>> = {}): boolean | null {
  return evaluateRule(compileRule(parsed(text)), (name) => record[name] ?? null, CONTEXT);
}

describe('A rule', () => {
  const record = {
    NET: 0.1,
    VAT: 0.2,
    TOTAL: 0.3,
    PAGES: 0,
    NAME: 'Größe GmbH',
    CODE: '',
    PAID: true,
    DUE: '2026-01-31',
    ISSUED: '2026-02-01',
    SENT: '2026-01-31T23:30:00-05:00',
    READ: '2026-02-01T04:30:00Z',
    OPENS: '08:30:00',
  };

  it.each([
    ['NET + VAT = TOTAL', true],
    ['net+Vat=total', true],
    ['"NET" + VAT = 0.30', true],
    ['TOTAL - NET * 2 = 0.1', true],
    ['-(NET - VAT) = 0.1', true],
    ['NET - VAT >= -0.1', true],
    ['1 / 3 = 0.333333333333333', true],
    ['2 / 3 = 0.666666666666667', true],
    ['-2 / 3 = -0.666666666666667', true],
    ['1 / 3 * 3 = 1', false],
    ['round(2.5, 0) = 3 and round(-2.5, 0) = -3 and round(1250, -2) = 1300', true],
    ['NET / PAGES = 1', null],
    ['abs(-1.50) = 1.5', true],
    ['999999999999999.9 + 0.1 = 1000000000000000', true],
    // Three values: what is known decides.
    ["CODE = 'x' or true", true],
    ["CODE = 'x' and false", false],
    ["CODE = 'x'", null],
    ["not CODE = 'x'", null],
    ["CODE = ''", null],
    ['empty(CODE) and not empty(NAME)', true],
    ["NAME in ('a', null)", null],
    ["NAME in ('a', CODE, 'Größe GmbH')", true],
    ["NAME in ('a', 'b')", false],
    ['NET between 0 and 0.05 and NET = NET', false],
    ['NET between null and 0.05', false],
    ['NET between null and 1', null],
    ["if(CODE = 'x', 1, 1) = 1", null],
    ['if(PAID, NET, null) = 0.1', true],
    ['if(PAID, DUE < ISSUED, false)', true],
    // Texts are exact, but for those that are folded.
    ["NAME = 'größe gmbh'", false],
    ["lower(NAME) = 'grosse gmbh'", true],
    ["NAME contains 'GRÖSSE'", true],
    ["NAME starts with 'Größ' and NAME ends with 'GmbH'", true],
    ["NAME starts with 'gros' or NAME ends with 'GMBH'", false],
    ["lower(NAME) starts with 'gros' and lower(NAME) ends with lower('GMBH')", true],
    ["NAME contains ''", null],
    ["'it''s' = lower('IT''S')", true],
    ['length(NAME) = 10', true],
    ["length('\u{1f600}') = 1", true],
    ["digits('DE 12-34') = '1234'", true],
    ["empty(CODE) and digits('abc') = 'x'", null],
    ["'a\u{ffff}' < 'a\u{1f600}'", true],
    ["NAME matches 'Gr.{2}e'", false],
    ["NAME matches 'Gr.{2}e GmbH'", true],
    ["'12' matches '\\d{2}'", true],
    ["NAME matches '(?i)gr\\pL+e\\b.*'", true],
    // Days, and moments with their offsets.
    ['DUE < ISSUED and DUE = 2026-01-31', true],
    ['SENT = READ', true],
    ["SENT = '2026-02-01T05:30:00+01:00'", true],
    ['SENT = DUE and READ > DUE', true],
    ['days(DUE, ISSUED) = 1 and days(ISSUED, DUE) = -1 and days(SENT, READ) = 1', true],
    ['days(0001-01-01, 9999-12-31) = 3652058', true],
    ['year(DUE) = 2026 and month(DUE) = 1 and day(SENT) = 31', true],
    ['DUE <= today and SENT < now and now = today', true],
    ["OPENS = '08:30' and OPENS < '09:00'", true],
    ['PAID and PAID = true and PAID <> false', true],
    ["'S-1' in SUPPLIERS.NO and not 'S-2' in suppliers.no", true],
    ['12.50 in SUPPLIERS.LIMIT', true],
    ['0.1234567890123456789 in SUPPLIERS.LIMIT', false],
    ['CODE in SUPPLIERS.NO', null],
    ['null', null],
    ['NOT (Net = 1)\n\tAND\r\nvat = 0.2', true],
  ])('%s is %s', (rule, expected) => expect(evaluate(rule, record)).toBe(expected));

  it('names fields and columns, and says when its result changes', () => {
    const rule = parsed("net > 0 or NET < VAT and NAME in suppliers.no and 'x' in SUPPLIERS.NO");
    expect(fieldsOf(rule)).toEqual(['NET', 'VAT', 'NAME']);
    expect(referencedColumns(rule)).toEqual([{ table: RULE_TABLE_GUID, column: 'NO' }]);
    expect(clockUse(rule)).toBeNull();
    expect(clockUse(parsed('DUE > today'))).toBe('daily');
    expect(clockUse(parsed('DUE > today or SENT > now'))).toBe('hourly');
  });

  it('is written with new names, and else as before', () => {
    const renames = {
      field: (name: string) => ({ net: 'TODAY', vat: 'Tax' })[name.toLowerCase()],
      table: () => 'FIRMS',
      column: (table: string, column: string) => `${column}_${table.length}`,
    };
    expect(renameInRule("( net )+ VAT  =12 and 'net' in Suppliers.No", renames)).toBe(
      `( "TODAY" )+ Tax  =12 and 'net' in FIRMS.No_9`,
    );
  });

  it('takes today and now from the clock of a time zone', () => {
    const at = Date.parse('2026-03-29T00:30:00Z');
    expect(clockOf(at, 'UTC')).toEqual({ today: '2026-03-29', now: '2026-03-29T00:30:00+00:00' });
    expect(clockOf(at, 'America/New_York')).toEqual({
      today: '2026-03-28',
      now: '2026-03-28T20:30:00-04:00',
    });
  });
});

describe('A rule is refused', () => {
  it.each([
    ['', 1, 1, 'checks.expectedAtEnd'],
    ['NET + = 1', 1, 7, 'checks.expected'],
    ['NET', 1, 1, 'checks.wrongKind'],
    ['NET +\n VAT\n= NAME', 3, 3, 'checks.wrongKind'],
    ['NET = 1 VAT', 1, 9, 'checks.expected'],
    ['NET < VAT < TOTAL', 1, 11, 'checks.expected'],
    ['NET = 1 and', 1, 12, 'checks.expectedAtEnd'],
    ['(NET = 1', 1, 9, 'checks.expectedAtEnd'],
    ['NET == 1', 1, 6, 'checks.expected'],
    ['NET != 1', 1, 5, 'checks.unknownCharacter'],
    ["NAME = '\u{1f600}' ; 1", 1, 12, 'checks.unknownCharacter'],
    ["NAME = 'x", 1, 8, 'checks.unclosedText'],
    ['"NET = 1', 1, 1, 'checks.unclosedName'],
    ['NET = 1e5', 1, 7, 'checks.malformedNumber'],
    ['NET = 1.', 1, 7, 'checks.malformedNumber'],
    ['DUE = 2026-02-30', 1, 7, 'checks.noSuchDate'],
    ['NETT = 1', 1, 1, 'checks.unknownField'],
    ['NAME in FIRMS.NO', 1, 9, 'checks.unknownTable'],
    ['NAME in SUPPLIERS.NOT_THERE', 1, 19, 'checks.unknownColumn'],
    ['NET in SUPPLIERS.NO', 1, 1, 'checks.wrongKind'],
    ['upper(NAME) = NAME', 1, 1, 'checks.unknownFunction'],
    ['round(NET) = 1', 1, 1, 'checks.argumentCount'],
    ['round(NET, VAT) = 1', 1, 12, 'checks.expected'],
    ['round(NET, 1.5) = 1', 1, 12, 'checks.expected'],
    ['empty(1)', 1, 7, 'checks.expected'],
    ['NET in ()', 1, 9, 'checks.expected'],
    ['NET between 1 or 2', 1, 15, 'checks.expected'],
    ['NAME starts NAME', 1, 13, 'checks.expected'],
    ['NAME matches NAME', 1, 14, 'checks.expected'],
    ["NAME matches 'it''s ('", 1, 21, 'checks.patternInvalid'],
    ["NAME matches '(?=x)'", 1, 15, 'checks.patternInvalid'],
    ["NAME matches '\\p{Nope}'", 1, 15, 'checks.patternInvalid'],
    ["NAME matches '[z-a]'", 1, 16, 'checks.patternInvalid'],
    ["NAME matches '(a{200}){200}'", 1, 23, 'checks.patternInvalid'],
    ['PAID < true', 1, 6, 'checks.noOrder'],
    ['DUE = 1', 1, 7, 'checks.wrongKind'],
    ["OPENS = 'noon'", 1, 9, 'checks.notATime'],
    ["SENT = '2026-01-31T10:00:00'", 1, 8, 'checks.notADatetime'],
    ['if(PAID, 1, NAME) = 1', 1, 13, 'checks.wrongKind'],
    ['year(NET) = 1', 1, 6, 'checks.noDay'],
    ['if(NAME in SUPPLIERS.NO, 1, 2) in SUPPLIERS.LIMIT', 1, 1, 'checks.nestedLookup'],
    [`NET = ${Array.from({ length: 60 }, () => 'NET').join(' * ')}`, 1, 7, 'checks.numberTooLong'],
    [`${'('.repeat(51)}NET`, 1, 52, 'checks.tooDeep'],
    [`${'not '.repeat(60)}PAID`, 1, 205, 'checks.tooDeep'],
    [`NET = 1${' '.repeat(4_000)}`, 1, 4_001, 'checks.tooLong'],
  ])('%s', (rule, line, column, code) => {
    const problem = problemOf(rule);
    expect([problem.line, problem.column, problem.code]).toEqual([line, column, code]);
    expect(problem.message).toContain(`Line ${line}, column ${column}: `);
  });

  /** Faults, each with where it begins within itself. */
  const FAULTS: readonly (readonly [fault: string, offset: number])[] = [
    ['NET = ', 6],
    ['(NET = 1', 8],
    ['NET = 1)', 7],
    ['UNKNOWN = 1', 0],
    ['NAME + 1 = 2', 0],
    ['NAME = NET', 7],
    ['NET = VAT = TOTAL', 10],
    ['PAID = 2026-13-01', 7],
    ['digits(NAME, NAME) = NAME', 0],
    ['NET # VAT', 4],
    ['DUE - ISSUED > 1', 0],
    ["NAME matches '('", 14],
    ['not not', 7],
    ['NET in (1, NAME)', 11],
    ['lower(PAGES) = NAME', 6],
    ['PAID and and PAID', 9],
    ['NAME like NAME', 5],
    ['NET between 1, 2', 13],
    ['empty(NET + VAT)', 6],
    ['PAID > PAID', 5],
  ];

  it('at its fault, whatever precedes it', () => {
    fc.assert(
      fc.property(
        validRule,
        fc.constantFrom(' and ', ' OR\n', '\n or not '),
        fc.constantFrom(...FAULTS),
        (valid, joint, [fault, offset]) => {
          const before = `(${valid})${joint}`;
          // A longer rule is refused for its length.
          fc.pre(before.length + fault.length <= 4_000);
          const problem = problemOf(before + fault);
          const lines = (before + fault).slice(0, problem.offset).split('\n');
          expect(problem.offset).toBe(before.length + offset);
          expect(problem.line).toBe(lines.length);
          expect(problem.column).toBe(Array.from(lines.at(-1) ?? '').length + 1);
        },
      ),
      { numRuns: repeated(1_000) },
    );
  });
});

it('Random rules are read and evaluated', () => {
  fc.assert(
    fc.property(validRule, ruleRecord, (rule, record) => {
      expect([true, false, null]).toContain(evaluate(rule, record));
    }),
    { numRuns: repeated(500) },
  );
});
