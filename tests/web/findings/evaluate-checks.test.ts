import { expect, it } from 'vitest';
import { buildColumn } from '../tables/columns.ts';
import { evaluatorOf } from '#web/findings/evaluate-checks.ts';

const numberField = (name: string) => ({
  ...buildColumn(name, { type: 'integer' }),
  options: null,
});

it('reads the same checks again after a field was renamed', () => {
  const checks = [
    { name: 'SUM', label: 'Sum', severity: 'warn' as const, rule: 'NET = 1', fields: [] },
  ];
  const before = [numberField('TOTAL')];
  const after = [numberField('NET')];
  expect(evaluatorOf(checks, before).checks).toHaveLength(0);
  expect(evaluatorOf(checks, after).checks).toHaveLength(1);
  expect(evaluatorOf(checks, after)).toBe(evaluatorOf(checks, after));
});
