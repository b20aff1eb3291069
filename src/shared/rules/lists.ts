import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/lists.ts';
import { fold } from '../values/fold.ts';
import {
  DEFAULT_LIMIT,
  DEFAULT_LIMITS,
  MAX_CONDITIONS,
  MAX_LIMIT,
  MAX_SEARCH_WORDS,
  MAX_SORT_KEYS,
  type CollectionLimits,
} from './limits.ts';
import { findByName, isSameName, keywordFieldName } from './names.ts';
import { QueryReader, type QueryParameters } from './query-reader.ts';
import { MAX_SCALE } from '../values/decimal.ts';
import { isText, type ValueType } from '../values/registry.ts';
import { parseType } from '../values/value-rules.ts';
import { OPERATORS, type Parsed, type Scalar } from '../values/value-type.ts';
import { splitList } from './comma-list.ts';

/** Something a list can be filtered or sorted by. */
export interface ListColumn {
  readonly name: string;
  readonly type: ValueType;
  /**
   * `field`: an index field or column; `keyword`: a keyword field; `meta`: revisionId or jrid, changedAt, changedBy;
   * `check`: the findings of checks
   */
  readonly kind: 'field' | 'keyword' | 'meta' | 'check';
  /** of `check`: the names of the checks */
  readonly checks?: readonly string[];
}

export type Condition =
  | {
      readonly column: ListColumn;
      readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
      readonly value: Scalar;
    }
  | { readonly column: ListColumn; readonly op: 'in'; readonly values: readonly Scalar[] }
  /** `folded` is what the folded text must contain; `%` and `_` in it are plain characters */
  | { readonly column: ListColumn; readonly op: 'like'; readonly folded: string }
  | { readonly column: ListColumn; readonly op: 'null'; readonly isNull: boolean };

/** Conditions of which a record must meet at least one. */
export interface AnyOf {
  readonly anyOf: readonly Condition[];
}

export interface SortKey {
  readonly column: ListColumn;
  readonly descending: boolean;
}

/** The filters of a list, without the sort: the input of `ids` and `count`. */
export interface ListFilter {
  /** a record must meet them all */
  readonly where: readonly (Condition | AnyOf)[];
  /** as typed; '' without a search */
  readonly q: string;
}

export interface ListQuery extends ListFilter {
  /** without the id, which always is the last sort key, ascending */
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  /** the `next` of the page before */
  readonly after: string | null;
  /** whether the answer contains the number of all matches; false: they are not counted */
  readonly total: boolean;
  /** whether the answer contains the findings of its records */
  readonly findings: boolean;
}

/** The list columns of an archive or table: its fields first, so that a field hides a meta column of its name. */
export function listColumns(
  id: 'revisionId' | 'jrid',
  fields: readonly { name: string; type: ValueType }[],
  keywordFields: readonly { name: string }[],
): ListColumn[] {
  return [
    ...fields.map(({ name, type }) => ({ name, type, kind: 'field' as const })),
    { name: id, type: 'integer', kind: 'meta' },
    { name: 'changedAt', type: 'datetime', kind: 'meta' },
    { name: 'changedBy', type: 'text', kind: 'meta' },
    ...keywordFields.map(({ name }) => ({
      name: keywordFieldName(name),
      type: 'text' as const,
      kind: 'keyword' as const,
    })),
  ];
}

/**
 * Adds the filter columns for findings of checks. A field named `check`, which new fields cannot be, comes first:
 * `meta.check` is always that of findings.
 */
export function withCheckColumns(
  columns: readonly ListColumn[],
  checks: readonly string[],
): ListColumn[] {
  const about = { type: 'text', kind: 'check', checks } as const;
  return [
    ...columns.filter(({ kind }) => kind !== 'check'),
    { name: 'check', ...about },
    { name: 'meta.check', ...about },
  ];
}

/** The groups of list parameters; not every call accepts all. */
export type ListPart = 'where' | 'q' | 'sort' | 'page';

/** The names of the parameters of each group; those of `where`, also `or[GROUP][FIELD][OP]`, hold the name of a field. */
const PARAMETERS = {
  where: [],
  q: ['q'],
  sort: ['sort'],
  page: ['limit', 'offset', 'after', 'total', 'findings'],
} as const;
type ListParameter = (typeof PARAMETERS)[ListPart][number];

/** `where[FIELD][OP]`, or `or[GROUP][FIELD][OP]`: conditions of one group are alternatives. */
const WHERE =
  /^(?:where|or\[(?<group>[A-Za-z0-9]{1,20})\])\[(?<field>[^[\]]+)\]\[(?<operator>[^[\]]*)\]$/;

const ALL_PARTS: readonly ListPart[] = ['where', 'q', 'sort', 'page'];

/**
 * Reads the parameters of a list, together with other parameters of the call.
 * @param names of the other parameters
 * @param allowed the groups of parameters that the call accepts; others are unknown to it
 * @param limits of the archive or table
 * @returns the query if the reader is valid, and the reader, for the other parameters
 */
export function readListQuery<Name extends string>(
  parameters: QueryParameters,
  columns: readonly ListColumn[],
  names: readonly Name[] = [],
  allowed: readonly ListPart[] = ALL_PARTS,
  { inValues }: Pick<CollectionLimits, 'inValues'> = DEFAULT_LIMITS,
): { readonly query: ListQuery; readonly reader: QueryReader<Name> } {
  const reader = new QueryReader<Name | ListParameter>(
    parameters,
    [...names, ...allowed.flatMap((part) => PARAMETERS[part])],
    allowed.includes('where') ? WHERE : undefined,
  );
  const where: (Condition | AnyOf)[] = [];
  const groups = new Map<string, Condition[]>();
  for (const [i, [name, value]] of reader.repeated.entries()) {
    if (i >= MAX_CONDITIONS) {
      reader.refuse(name, texts.tooManyConditions({ max: MAX_CONDITIONS }));
      break;
    }
    const { group, field = '', operator = '' } = WHERE.exec(name)?.groups ?? {};
    const read = readCondition(findByName(columns, field), field, operator, value, inValues);
    if ('code' in read) reader.refuse(name, read);
    else if (group === undefined) where.push(read);
    else {
      const conditions = groups.get(group) ?? [];
      if (conditions.length === 0) groups.set(group, conditions);
      conditions.push(read);
    }
  }
  for (const anyOf of groups.values()) where.push({ anyOf });
  const textOf = (name: ListParameter, part: ListPart) =>
    allowed.includes(part) ? reader.text(name) : undefined;
  const q = textOf('q', 'q') ?? '';
  if (hasTooManyWords(q)) {
    reader.refuse('q', texts.tooManyWords({ max: MAX_SEARCH_WORDS }));
  }
  const sort = readSort(textOf('sort', 'sort') ?? '', columns, (message) =>
    reader.refuse('sort', message),
  );
  const query = {
    where,
    q,
    sort,
    ...(allowed.includes('page') ? readPage(reader) : NO_PAGE),
  };
  return { query, reader };
}

type Page = Pick<ListQuery, 'limit' | 'offset' | 'after' | 'total' | 'findings'>;

const NO_PAGE: Page = {
  limit: DEFAULT_LIMIT,
  offset: 0,
  after: null,
  total: true,
  findings: false,
};

function readPage(reader: QueryReader<(typeof PARAMETERS)['page'][number]>): Page {
  const after = reader.text('after') ?? null;
  if (after !== null && reader.has('offset')) {
    reader.refuse('after', texts.afterAndOffset);
  }
  return {
    limit: reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
    offset: reader.integer('offset', 0, 0, Number.MAX_SAFE_INTEGER),
    after,
    total: reader.boolean('total', true),
    findings: reader.boolean('findings', false),
  };
}

function hasTooManyWords(text: string): boolean {
  let words = 0;
  for (const _word of text.matchAll(/\S+/gu)) if (++words > MAX_SEARCH_WORDS) return true;
  return false;
}

function readCondition(
  column: ListColumn | undefined,
  name: string,
  op: string,
  value: string,
  inValues: number,
): Condition | Message {
  if (!column) return texts.noField({ name });
  const operator = OPERATORS.find((known) => known === op);
  if (!operator) return texts.noOperator({ op, operators: OPERATORS.join(', ') });
  if (operator === 'null') {
    if (value !== 'true' && value !== 'false') return texts.nullTakesBoolean;
    return { column, op: 'null', isNull: value === 'true' };
  }
  if (column.kind === 'check') return readCheckCondition(column, operator, value);
  switch (operator) {
    case 'like':
      if (!isText(column)) return texts.likeIsForText({ name: column.name, type: column.type });
      return { column, op: 'like', folded: fold(value) };
    case 'in': {
      const values: Scalar[] = [];
      const items = splitList(value);
      if (items.length > inValues) return texts.tooManyInValues({ max: inValues });
      for (const item of items) {
        const parsed = readFilterValue(column, item);
        if (!parsed.ok) return parsed;
        values.push(parsed.value);
      }
      return { column, op: 'in', values };
    }
    default: {
      const parsed = readFilterValue(column, value);
      return parsed.ok ? { column, op: operator, value: parsed.value } : parsed;
    }
  }
}

/** A condition on findings other than `null`. */
function readCheckCondition(
  column: ListColumn,
  operator: (typeof OPERATORS)[number],
  value: string,
): Condition | Message {
  if (operator !== 'eq' && operator !== 'in') return texts.checkOperator;
  const names: string[] = [];
  for (const asked of operator === 'eq' ? [value] : splitList(value)) {
    const name = column.checks?.find((known) => isSameName(known, asked));
    if (name === undefined) return texts.noCheck({ name: asked });
    names.push(name);
  }
  const [name = ''] = names;
  return operator === 'eq'
    ? { column, op: 'eq', value: name }
    : { column, op: 'in', values: names };
}

function readFilterValue(column: ListColumn, text: string): Parsed {
  // A searched number may have any number of places; only the field has a scale.
  const parsed = parseType({ type: column.type, scale: MAX_SCALE }, text);
  return parsed.ok && parsed.value === null ? { ok: false, ...texts.valueMissing } : parsed;
}

function readSort(
  text: string,
  columns: readonly ListColumn[],
  addProblem: (message: Message) => void,
): SortKey[] {
  const keys: SortKey[] = [];
  if (text === '') return keys;
  const items = text.split(',', MAX_SORT_KEYS + 1);
  if (items.length > MAX_SORT_KEYS) {
    addProblem(texts.tooManySortFields({ max: MAX_SORT_KEYS }));
    return keys;
  }
  for (const item of items) {
    const descending = item.startsWith('-');
    const name = descending ? item.slice(1) : item;
    const column = findByName(columns, name);
    if (!column || column.kind === 'keyword' || column.kind === 'check')
      addProblem(texts.noSortField({ name }));
    else if (keys.some((key) => key.column === column)) addProblem(texts.namedTwice({ name }));
    else keys.push({ column, descending });
  }
  return keys;
}
