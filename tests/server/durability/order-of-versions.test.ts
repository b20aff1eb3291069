import { describe, expect, test } from 'vitest';
import { violations, type Call } from './order-of-versions.ts';

describe('the check of a history', () => {
  const first = { version: 1, value: '' };
  const write = (begin: number, end: number, version: number, value: string): Call => ({
    kind: 'written',
    begin,
    end,
    version,
    value,
  });
  const read = (begin: number, end: number, version: number, value: string): Call => ({
    kind: 'read',
    begin,
    end,
    version,
    value,
  });
  const refused = (begin: number, end: number, over: number): Call => ({
    kind: 'refused',
    begin,
    end,
    over,
  });

  test.each<[string, Call[]]>([
    ['nothing', []],
    ['a write that is read while it is made', [write(0, 9, 2, 'a'), read(1, 2, 2, 'a')]],
    ['an old value while a write is made', [write(0, 9, 2, 'a'), read(1, 2, 1, '')]],
    ['a refusal after a write', [write(0, 3, 2, 'a'), refused(2, 4, 1)]],
    [
      'a write of unknown outcome that was made',
      [{ kind: 'unknown', begin: 0, value: 'a' }, read(5, 6, 2, 'a')],
    ],
  ])('finds nothing wrong with %s', (_, calls) => {
    expect(violations(calls, first)).toEqual([]);
  });

  test.each<[string, Call[]]>([
    ['a lost write', [write(0, 1, 2, 'a'), read(2, 3, 1, '')]],
    ['two writes over the same version', [write(0, 2, 2, 'a'), write(0, 2, 2, 'b')]],
    ['a value that nobody wrote', [read(0, 1, 2, 'x')]],
    ['a value before its write', [read(0, 1, 2, 'a'), write(2, 3, 2, 'a')]],
    ['a read that goes back', [write(0, 9, 2, 'a'), read(1, 2, 2, 'a'), read(3, 4, 1, '')]],
    ['another value of a version', [write(0, 1, 2, 'a'), read(2, 3, 2, 'b')]],
    ['a write under a later one', [write(0, 1, 3, 'a'), write(2, 3, 2, 'b')]],
    ['a refusal without a cause', [refused(0, 1, 1), write(2, 3, 2, 'a')]],
  ])('finds %s', (_, calls) => {
    expect(violations(calls, first)).not.toEqual([]);
  });
});
