import * as texts from '#messages/service/lists.ts';
import type { QueryParameters, QueryReader } from '#shared/rules/query-reader.ts';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { MAX_CONDITIONS, MAX_IDS, MAX_SEARCH_WORDS, MAX_SORT_KEYS } from '#shared/rules/limits.ts';
import { OPERATORS } from '#shared/values/value-type.ts';
import { requireValid } from '#server/http/query.ts';
import { readListQuery, type ListPart, type ListQuery } from '#shared/rules/lists.ts';
import type { Collection } from '#server/database/records/collection.ts';

/** Reads the query of a call: the filters of a list, and the call's additional parameters `names`. */
export function readCollectionQuery<Name extends string>(
  { listColumns, limits }: Collection,
  parameters: QueryParameters,
  names: readonly Name[],
  allowed?: readonly ListPart[],
): { readonly query: ListQuery; readonly reader: QueryReader<Name> } {
  return readListQuery(parameters, listColumns, names, allowed, limits);
}

/**
 * Parses the query of a call that only takes the parameters of a list.
 * @throws {ApiError} 400 naming the parameters
 */
export function parseCollectionQuery(
  collection: Collection,
  parameters: QueryParameters,
  allowed?: readonly ListPart[],
): ListQuery {
  const { query, reader } = readCollectionQuery(collection, parameters, [], allowed);
  requireValid(reader);
  return query;
}

export interface ListPage {
  /** whether the call asks for the findings in the records */
  readonly withFindings: boolean;
  readonly records: readonly StoredRecord[];
  readonly pagination: {
    /** omitted unless requested */
    readonly total?: number | null;
    readonly atLeast?: number;
    readonly limit: number;
    readonly offset: number;
    readonly next: string | null;
  };
}

/**
 * Answers one page of an archive or table (docs/interface/decisions.md, section 6).
 * @throws {ApiError} 400 naming the parameter
 */
export async function listPage(
  db: Transaction,
  collection: Collection,
  parameters: QueryParameters,
): Promise<ListPage> {
  const query = parseCollectionQuery(collection, parameters);
  const page = await db.lists.page(collection, query);
  if (!page) {
    throw new ApiError('malformed', {
      after: [texts.positionOfOtherList],
    });
  }
  const { limit, offset } = query;
  return {
    records: page.records,
    pagination: { ...page.count, limit, offset, next: page.next },
    withFindings: query.findings,
  };
}

/**
 * The ids of all matching records, in the list's order, with their entity tags.
 * @throws {ApiError} 400; 422 with the count if there are more than 100,000
 */
export async function listIds(
  db: Transaction,
  collection: Collection,
  parameters: QueryParameters,
): Promise<{ ids: string[]; etags: string[] }> {
  const query = parseCollectionQuery(collection, parameters, ['where', 'q', 'sort']);
  const found = await db.lists.ids(collection, query, MAX_IDS + 1);
  if (found.length > MAX_IDS) {
    const count = await db.lists.count(collection, query);
    throw new ApiError('validation_failed', texts.tooManyMatches({ count, max: MAX_IDS }));
  }
  return {
    ids: found.map(({ id }) => String(id)),
    etags: found.map(({ version }) => etagOf(version)),
  };
}

/** The same in the form of the answer. */
export async function answerIds(
  db: Transaction,
  collection: Collection,
  parameters: QueryParameters,
) {
  const { ids, etags } = await listIds(db, collection, parameters);
  return collection.kind === 'archive' ? { revisionIds: ids, etags } : { jrids: ids, etags };
}

/**
 * Counts all matching records exactly.
 * @throws {ApiError} 400 naming the parameter
 */
export function listCount(
  db: Transaction,
  collection: Collection,
  parameters: QueryParameters,
): Promise<number> {
  return db.lists.count(collection, parseCollectionQuery(collection, parameters, ['where', 'q']));
}

/** The query parameters of lists, for the documentation: of a count, of the ids, and of a page. */
export const COUNT_PARAMETERS = {
  'where[FIELD][OP]': `a filter; OP is one of ${OPERATORS.join(', ')}; several, at most ${MAX_CONDITIONS}, are combined with and`,
  'or[GROUP][FIELD][OP]':
    'a filter in a group, of which at least one must be met; GROUP is a name of up to 20 letters and digits. Groups are combined with the other filters with and; their conditions count towards the same maximum',
  q: `words to find, at most ${MAX_SEARCH_WORDS}; each must be part of any text field or keyword`,
} as const;
export const ID_PARAMETERS = {
  ...COUNT_PARAMETERS,
  sort: `fields to sort by, at most ${MAX_SORT_KEYS}; a - before a field means descending; then by id`,
} as const;
export const LIST_PARAMETERS = {
  ...ID_PARAMETERS,
  limit: 'records per page, 1 to 1,000; 50 by default',
  offset: 'records to skip',
  after: 'the `next` of the previous page; fast at any depth',
  total: '`false`: matches are not counted, and the answer has no `total`',
  findings: '`true`: `meta.findings` has the findings of checks in the records of the page, by id',
} as const;
