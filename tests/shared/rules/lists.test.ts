import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { listColumns, readListQuery } from '#shared/rules/lists.ts';

const columns = listColumns(
  'revisionId',
  [
    { name: 'TITLE', type: 'text' },
    { name: 'YEAR', type: 'integer' },
  ],
  [{ name: 'SUBJECT' }],
);
const errorsOf = (...parameters: [string, string][]) => {
  const { reader } = readListQuery(parameters, columns);
  return reader.isValid ? null : reader.errors;
};

describe('a list query', () => {
  it('has names without regard to case, several conditions and a sort', () => {
    const { query, reader } = readListQuery(
      [
        ['where[title][like]', 'Ä%'],
        ['where[YEAR][in]', '1,2'],
        ['where[keyword.subject][eq]', 'tree'],
        ['sort', '-year,revisionId'],
        ['limit', '1000'],
      ],
      columns,
    );
    expect({ isValid: reader.isValid, query }).toMatchObject({
      isValid: true,
      query: {
        where: [
          { column: { name: 'TITLE' }, op: 'like', folded: 'a%' },
          { column: { name: 'YEAR' }, op: 'in', values: [1, 2] },
          { column: { name: 'keyword.SUBJECT', kind: 'keyword' }, op: 'eq', value: 'tree' },
        ],
        sort: [
          { column: { name: 'YEAR' }, descending: true },
          { column: { name: 'revisionId' }, descending: false },
        ],
        limit: 1000,
        offset: 0,
        after: null,
        total: true,
      },
    });
  });

  it.each<[string, string]>([
    ['where[NOSUCH][eq]', '1'],
    ['where[YEAR][like]', '1'],
    ['where[YEAR][eq]', 'x'],
    ['where[YEAR][eq]', ''],
    ['where[YEAR][between]', '1'],
    ['where[TITLE][null]', 'yes'],
    ['where[changedAt][gt]', '2024-01-01'],
    ['where[TITLE][eq]', 'a\u0000'],
    ['where[__proto__][eq]', 'a'],
    ['where[TITLE]', 'a'],
    ['sort', 'NOSUCH'],
    ['sort', 'YEAR,-YEAR'],
    ['sort', 'keyword.SUBJECT'],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '1e2'],
    ['offset', '-1'],
    ['nosuch', '1'],
  ])('is refused under %s where it says %s', (name, value) => {
    expect(Object.keys(errorsOf([name, value]) ?? {})).toEqual([name]);
  });

  it('reports all its errors together', () => {
    expect(
      Object.keys(errorsOf(['limit', 'x'], ['sort', '?'], ['foo', ''], ['foo', '']) ?? {}),
    ).toEqual(['foo', 'sort', 'limit']);
  });

  it('takes after or offset, not both', () => {
    expect(errorsOf(['after', 'x'], ['offset', '1'])).toHaveProperty('after');
  });
});

describe('a comma list', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ',', '\\') }), { minLength: 1 }),
        (values) => {
          expect(splitList(joinList(values))).toEqual(values);
        },
      ),
    );
  });
  it('keeps a comma after a backslash', () => expect(splitList('a\\,b,c')).toEqual(['a,b', 'c']));
});
