import type { ListSql } from '../floors/list-sql.ts';
import { KEYWORD } from '../data/revisions.ts';
import { archivePath, datasetsPath } from './requests.ts';

export const PATHS = {
  archive: `${archivePath}/index`,
  table: datasetsPath,
} as const;

/**
 * What the goal is of: `page` first pages and pages by `after`, `offset` deep pages by offset, and filters whose sort
 * no index serves, `search` parts of words; none: measured alone.
 */
export type Goal = 'page' | 'offset' | 'search' | 'none';

export interface ListKind {
  readonly what: string;
  readonly of: keyof typeof PATHS;
  readonly goal: Goal;
  /** query texts, taken in turn; without `limit` */
  readonly queries: readonly string[];
  /** asked for by `after` at several depths, instead of the first page */
  readonly deep?: boolean;
  /** the same in SQL, as it could best be asked */
  readonly sql: (sql: ListSql) => readonly string[];
}

const days = ['2016-03-01', '2018-07-15', '2020-01-01', '2022-11-11', '2024-05-05'];
const cities = ['Aachen', 'Basel', 'Cardiff', 'Dijon', 'Espoo', 'Faro'];
const suppliers = [17, 4711, 9999, 12_345, 19_001].map((n) => `Supplier ${n} and sons`);
const q = (text: string) => encodeURIComponent(text);

const kind = (
  what: string,
  goal: Goal,
  queries: readonly string[],
  sql: ListKind['sql'],
  deep = false,
): ListKind => ({ what, of: 'archive', goal, queries, sql, deep });

const filtered = (
  name: string,
  goal: Goal,
  field: string,
  op: string,
  values: readonly (string | number)[],
  condition: ((column: string, value: string) => string) | 'equal',
): ListKind =>
  kind(
    name,
    goal,
    values.map((value) => `where[${field}][${op}]=${q(String(value))}`),
    (sql) =>
      values
        .map(String)
        .map((value) =>
          sql.page(
            condition === 'equal'
              ? sql.equal(field, value)
              : condition(sql.column(field), sql.text(value)),
            [],
          ),
        ),
  );

const sorted = (type: string, field: string): ListKind[] =>
  [field, `-${field}`].map((sort) =>
    kind(
      `sorted by ${type}${sort === field ? '' : ', downwards'}`,
      'page',
      [`sort=${sort}`],
      (sql) => [sql.page('true', [sort])],
    ),
  );

const deepBy = (sort: string): ListKind =>
  kind(
    `deep by after${sort === '' ? '' : `, sorted by ${sort}`}`,
    'page',
    [sort === '' ? '' : `sort=${sort}`],
    (sql) => [sql.after(sort === '' ? [] : [sort])],
    true,
  );

/** The lists that are measured. */
export function listKinds(size: number): ListKind[] {
  const offset = Math.floor(size * 0.9);
  const revisions: ListKind[] = [
    kind('first page', 'page', [''], (sql) => [sql.page('true', [])]),
    ...sorted('text', 'SUPPLIER'),
    ...sorted('integer', 'POSITIONS'),
    ...sorted('decimal', 'NET'),
    ...sorted('date', 'DATED'),
    ...sorted('date-time', 'SCANNED'),
    ...sorted('boolean', 'PAID'),
    kind('sorted by change', 'page', ['sort=-changedAt'], (sql) => [
      sql.page('true', ['-changedAt']),
    ]),
    kind('sorted by two fields', 'page', ['sort=CITY,-DATED'], (sql) => [
      sql.page('true', ['CITY', '-DATED']),
    ]),
    deepBy(''),
    deepBy('SUPPLIER'),
    deepBy('-DATED'),
    deepBy('NET'),
    kind('deep by offset', 'offset', [`offset=${offset}`], (sql) => [sql.offset([], offset)]),
    kind('deep by offset, sorted by text', 'offset', [`sort=SUPPLIER&offset=${offset}`], (sql) => [
      sql.offset(['SUPPLIER'], offset),
    ]),
    kind('deep by offset, sorted by date', 'offset', [`sort=-DATED&offset=${offset}`], (sql) => [
      sql.offset(['-DATED'], offset),
    ]),
    filtered('filter eq (option)', 'page', 'STATE', 'eq', ['open', 'waiting', 'closed'], 'equal'),
    filtered('filter eq (text)', 'page', 'SUPPLIER', 'eq', suppliers, 'equal'),
    filtered('filter ne', 'page', 'STATE', 'ne', ['open', 'closed'], (c, v) => `${c} <> ${v}`),
    filtered(
      'filter gt (integer)',
      'page',
      'POSITIONS',
      'gt',
      [20, 100, 190],
      (c, v) => `${c} > 0 + ${v}`,
    ),
    filtered('filter gte (date)', 'page', 'DATED', 'gte', days, (c, v) => `${c} >= ${v}`),
    filtered(
      'filter lt (decimal)',
      'page',
      'NET',
      'lt',
      ['10.5', '900', '12000'],
      (c, v) => `${c} < 0 + ${v}`,
    ),
    filtered('filter lte (date)', 'page', 'DUE', 'lte', days, (c, v) => `${c} <= ${v}`),
    filtered(
      'filter in',
      'page',
      'CLERK',
      'in',
      ['bo', 'chen', 'dana'],
      (c, v) => `${c} in (${v}, 'emil')`,
    ),
    filtered('filter null', 'page', 'REMARK', 'null', ['true'], (c) => `${c} is null`),
    filtered(
      'filter like',
      'none',
      'SUBJECT',
      'like',
      ['week 17', 'ry 2900', 'of week'],
      (c, v) => `instr(lower(${c}), ${v})`,
    ),
    kind(
      'filter by keyword',
      'page',
      ['energy', 'rent', 'travel'].map((word) => `where[keyword.${KEYWORD}][eq]=${word}`),
      (sql) => ['energy', 'rent', 'travel'].map((word) => sql.keyword(word)),
    ),
    kind(
      'filter eq, sorted by another field',
      'offset',
      cities.map((city) => `where[CITY][eq]=${city}&sort=-DATED`),
      (sql) => cities.map((city) => sql.page(sql.equal('CITY', city), ['-DATED'])),
    ),
    kind(
      'filter gte, sorted by another field',
      'offset',
      days.map((day) => `where[DATED][gte]=${day}&sort=SUPPLIER`),
      (sql) =>
        days.map((day) => sql.page(`${sql.column('DATED')} >= ${sql.text(day)}`, ['SUPPLIER'])),
    ),
    kind(
      'search by a word',
      'search',
      ['Győr', 'freight', 'delivery'].map((word) => `q=${q(word)}`),
      (sql) => ['gyor', 'freight', 'delivery'].map((word) => sql.search(word)),
    ),
    kind(
      'search by part of a word',
      'search',
      ['rdi', 'upplier 123', 'arbo', 'office89', 'r-00'].map((word) => `q=${q(word)}`),
      (sql) => ['rdi', 'upplier', 'arbo', 'office89', 'r-00'].map((word) => sql.search(word)),
    ),
    kind('search by a rare word', 'search', [`q=${q('R-0000012345')}`, 'q=zzzzz'], (sql) => [
      sql.search('r-0000012345'),
      sql.search('zzzzz'),
    ]),
  ];
  const datasets: ListKind[] = [
    kind('first page', 'page', [''], (sql) => [sql.page('true', [])]),
    kind('sorted by text', 'page', ['sort=name'], (sql) => [sql.page('true', ['name'])]),
    deepBy(''),
    deepBy('name'),
    kind('deep by offset', 'offset', [`offset=${offset}`], (sql) => [sql.offset([], offset)]),
    filtered('filter eq (option)', 'page', 'state', 'eq', ['open', 'closed'], 'equal'),
    kind(
      'filter eq, sorted by another column',
      'offset',
      ['where[city][eq]=Bern&sort=-ordered'],
      (sql) => [sql.page(sql.equal('city', 'Bern'), ['-ordered'])],
    ),
    kind('search by part of a word', 'search', ['q=rem', 'q=ame%20123', 'q=ntact4'], (sql) => [
      sql.search('rem'),
      sql.search('ame'),
      sql.search('ntact4'),
    ]),
  ].map((kind) => ({ ...kind, of: 'table' }));
  return [
    ...revisions.map((kind) => ({ ...kind, what: `revisions: ${kind.what}` })),
    ...datasets.map((kind) => ({ ...kind, what: `datasets: ${kind.what}` })),
  ];
}
