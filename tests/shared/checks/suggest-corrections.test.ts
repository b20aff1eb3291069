import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '#shared/values/pattern-engine.ts';
import { compileRule, evaluateRule } from '#shared/checks/compile-rule.ts';
import { suggestCorrections, type SuggestionField } from '#shared/checks/suggest-corrections.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import { TYPE_ONLY_RULES, parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { repeated } from '#tests/support/effort.ts';
import { RULE_FIELDS, RULE_SCOPE, ruleRecord, validRule } from '#tests/support/random-rules.ts';

const CONTEXT = { today: '2026-11-23', now: '2026-11-23T10:00:00+01:00', isListed: () => null };
const SCALES: Readonly<Record<string, number>> = { decimal: 2, integer: 0 };

const rulesOf = (name: string) => {
  const { type } = RULE_FIELDS.find((field) => field.name === name) ?? RULE_FIELDS[0];
  return { ...TYPE_ONLY_RULES, type, scale: SCALES[type] ?? null };
};
/** As the service takes a number: its decimal places are those that are written. */
const parsed = (name: string, value: Scalar) =>
  parseValue(rulesOf(name), typeof value === 'number' ? String(value) : value);
const FIELDS = RULE_FIELDS.map(({ name, type }): SuggestionField => ({
  name,
  isNumber: type in SCALES,
  scale: SCALES[type] ?? 0,
  accepts: (value) => parsed(name, value).ok,
}));

type Record_ = Readonly<Record<string, Scalar>>;

function ruleOf(text: string) {
  const rule = parseRule(text, RULE_SCOPE);
  if (!rule.ok) throw new Error(`${text}: ${rule.problem.message}`);
  return rule.value;
}

const suggest = (text: string, record: Record_) =>
  suggestCorrections(ruleOf(text), FIELDS, (name) => record[name] ?? null, CONTEXT);

/** The suggestions in short: `swap NET=1 VAT=2`. */
const shown = (text: string, record: Record_) =>
  suggest(text, record).map(({ kind, values }) =>
    [kind, ...[...values].map(([name, value]) => `${name}=${value}`)].join(' '),
  );

describe('What a rule suggests', () => {
  it.each<[string, Record_, string[]]>([
    [
      'NET + VAT = TOTAL',
      { NET: 1751.6, VAT: 332.8, TOTAL: 2048.4 },
      ['solve NET=1715.6', 'solve VAT=296.8', 'solve TOTAL=2084.4'],
    ],
    [
      'NET - VAT = TOTAL',
      { NET: 3, VAT: 1, TOTAL: 3 },
      ['solve NET=4', 'solve VAT=0', 'solve TOTAL=2'],
    ],
    ['VAT < NET', { NET: 19, VAT: 100 }, ['swap VAT=19 NET=100']],
    [
      'NET + VAT = TOTAL',
      { NET: 119, VAT: 19, TOTAL: 100 },
      ['swap NET=100 TOTAL=119', 'solve NET=81', 'solve VAT=-19', 'solve TOTAL=138'],
    ],
    [
      'DUE >= ISSUED',
      { DUE: '2026-01-01', ISSUED: '2026-02-01' },
      ['swap DUE=2026-02-01 ISSUED=2026-01-01'],
    ],
    [
      'abs(NET + VAT - TOTAL) <= 0.02',
      { NET: 1, VAT: 2, TOTAL: 4 },
      ['solve NET=2', 'solve VAT=3', 'solve TOTAL=3'],
    ],
    ['round(NET * 0.19, 2) = VAT', { NET: 100, VAT: 18 }, ['solve VAT=19']],
    ['NET * 3 = TOTAL', { NET: 1, TOTAL: 10 }, ['solve TOTAL=3']],
    ['PAGES * 2 = NET', { PAGES: 1, NET: 5 }, ['solve NET=2']],
    ['NET / 0 = VAT', { NET: 1, VAT: 1 }, []],
    ['empty(CODE) and not empty(NAME)', { NAME: '', CODE: 'x' }, []],
    ['NET * VAT = 4', { NET: 0, VAT: 3 }, []],
    ["NAME matches '[A-Z]+'", { NAME: '12' }, []],
  ])('of %s is what makes it true', (text, record, expected) => {
    expect(shown(text, record)).toEqual(expected);
  });

  it('is a sum of the other fields, where it is one', () => {
    const sums = suggest('NET + VAT = TOTAL', { NET: 1, VAT: 2, TOTAL: 4 }).map(({ sum }) =>
      sum?.map(({ field, isNegative }) => (isNegative ? '-' : '+') + field).join(''),
    );
    expect(sums).toEqual(['+TOTAL-VAT', '+TOTAL-NET', '+NET+VAT']);
  });

  const coefficient = fc.constantFrom('1', '2', '0.5', '-1', '0.19');
  const linear = fc
    .array(fc.tuple(coefficient, fc.constantFrom('NET', 'VAT', 'TOTAL', 'PAGES')), {
      minLength: 2,
      maxLength: 5,
    })
    .map((terms) => {
      const [first = '0', ...others] = terms.map(([factor, field]) => `${factor} * ${field}`);
      return `${others.join(' + ')} = ${first}`;
    });
  it.each([
    ['of linear equations', linear],
    ['of any rule', validRule],
  ])('makes the rule true, and has type and scale of its field: %s', (_, rules) => {
    fc.assert(
      fc.property(rules, ruleRecord, (text, record) => {
        const rule = ruleOf(text);
        const program = compileRule(rule);
        for (const { values } of suggest(text, record)) {
          for (const [name, value] of values) {
            const stored = parsed(name, value);
            expect(stored.ok && stored.value === value).toBe(true);
          }
          const valueOf = (name: string) => values.get(name) ?? record[name] ?? null;
          expect(evaluateRule(program, valueOf, CONTEXT)).toBe(true);
        }
      }),
      { numRuns: repeated(200) },
    );
  });
});
