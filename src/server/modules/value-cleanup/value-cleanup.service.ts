import * as texts from '#messages/service/value-cleanup.ts';
import * as listTexts from '#messages/service/lists.ts';
import * as recordTexts from '#messages/service/records.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import { keywordGroups } from '#server/database/records/keyword-values.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import type { RecordFilter } from '#server/database/records/list-reader.ts';
import { readQuery, requireValid } from '#server/http/query.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  CLUSTER_DISTANCES,
  MAX_CLUSTERS,
  MAX_COMPARED_VALUES,
  type ValueClusters,
} from '#shared/contract/value-cleanup.ts';
import type { ReplacementsBody } from '#shared/contract/value-cleanup-requests.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';
import type { ListColumn } from '#shared/rules/lists.ts';
import { findByName, isSameName } from '#shared/rules/names.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { parseKeyword } from '#shared/values/keywords.ts';
import { isText } from '#shared/values/registry.ts';
import {
  planKeywords,
  planSelection,
  type UnfinishedPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import { parseCollectionQuery, readCollectionQuery } from '../records/lists.service.ts';
import { countRecordsInWorker, readIdsInWorker } from '../records/records.reads.ts';
import type { Writer } from '../records/records.service.ts';
import { clusterTexts, type CountedText } from './clusters.ts';

type Field = Collection['fields'][number];

/** A text field, or a keyword field, whose values are compared and corrected. */
interface CleanedField {
  readonly number: number;
  /** as lists name it: keyword fields as `keyword.NAME` */
  readonly column: ListColumn;
  /** null: a keyword field, of which a record has several values */
  readonly field: Field | null;
}

/**
 * The field of a call about values that are nearly equal.
 * @param name of a keyword field `keyword.NAME`
 * @throws {ApiError} 404 if the user cannot see a field with this name, 422 under `field` if it is not a text field
 */
export function requireCleanedField(collection: Collection, name: string): CleanedField {
  const { kind, fields } = collection;
  const keywords = keywordFieldOf(collection, name);
  const column = collection.listColumns.find(
    (column) => column.kind === 'keyword' && isSameName(column.name, name),
  );
  if (keywords && column) return { number: keywords.number, column, field: null };
  const field = findByName(fields, name);
  if (!field) {
    const message =
      kind === 'archive' ? recordTexts.noIndexField({ name }) : recordTexts.noColumn({ name });
    throw new ApiError('not_found', message);
  }
  if (!isText(field)) {
    const { type } = field;
    throw new ApiError('validation_failed', {
      field: [texts.textOnly({ name: field.name, type })],
    });
  }
  return { number: field.number, column: columnOf(collection, field), field };
}

/**
 * The values of a text field that are nearly equal, in the records that match a filter. It may take seconds, but lets other
 * work of the process run.
 * @param name of the field
 * @param query `where`, `or`, `q` and `distance`, the letters by which values may differ
 * @throws {ApiError} 400 with all errors of the query; 404 and 422 as `requireCleanedField`
 */
export async function findClusters(
  db: Transaction,
  collection: Collection,
  name: string,
  query: QueryParameters,
): Promise<ValueClusters> {
  const cleaned = requireCleanedField(collection, name);
  const parts = ['where', 'q'] as const;
  const { query: list, reader } = readCollectionQuery(collection, query, ['distance'], parts);
  const distance = Number(reader.oneOf('distance', CLUSTER_DISTANCES) ?? 1);
  requireValid(reader);
  const filter = { where: list.where, q: list.q };
  const { inUse, all } = await countTexts(db, collection, cleaned, filter);
  const compared = inUse.slice(0, MAX_COMPARED_VALUES);
  const { clusters, isComplete } = await clusterTexts(compared, distance);
  const messages = [
    ...(compared.length < all
      ? [texts.tooManyValues({ values: all, compared: compared.length })]
      : []),
    ...(isComplete ? [] : [texts.tooSimilar]),
    ...(clusters.length > MAX_CLUSTERS
      ? [texts.tooManyClusters({ clusters: clusters.length, shown: MAX_CLUSTERS })]
      : []),
  ];
  return {
    clusters: clusters
      .slice(0, MAX_CLUSTERS)
      .map(({ values, ...cluster }) => ({ ...cluster, values: [...values] })),
    meta: {
      clusters: clusters.length,
      values: all,
      compared: compared.length,
      message: messages.length > 0 ? messages.join(' ') : null,
    },
  };
}

/** The most used values of a field, without the empty text; and how many there are. */
async function countTexts(
  db: Transaction,
  collection: Collection,
  { number, field }: CleanedField,
  filter: RecordFilter,
): Promise<{ readonly inUse: readonly CountedText[]; readonly all: number }> {
  // Two groups are not values: without a value, and the empty text.
  const limit = MAX_COMPARED_VALUES + 2;
  const page = { sort: '-count', limit, offset: 0, withTotal: true } as const;
  if (!field) {
    const { groups, total } = await keywordGroups(db, collection, number, filter, page);
    return { inUse: groups, all: total ?? groups.length };
  }
  const grouping = { ...page, by: [field], sums: [] };
  const { groups, total } = await db.lists.groups(collection, filter, grouping);
  const inUse = groups.flatMap(({ values: [value], count }): CountedText[] =>
    typeof value === 'string' && value !== '' ? [{ value, count }] : [],
  );
  return { inUse, all: (total ?? groups.length) - (groups.length - inUse.length) };
}

/**
 * Plans the correction of values of a field in the records that match, outside a transaction; `finish` in a transaction makes
 * the plan visible.
 * @param name of the field
 * @throws {ApiError} 400 for the filter; 403 for a field that may only be read; 404; 422 naming the replacement, or with the count
 * if more than 100,000 records have one of the values
 */
export async function planReplacements(
  database: Database,
  collection: Collection,
  writer: Writer,
  name: string,
  { filter, replacements, remember }: ReplacementsBody,
): Promise<UnfinishedPlan> {
  const { field, column } = requireCleanedField(collection, name);
  requireReplacements(field, replacements);
  const parameters = readQuery(`?${filter.replace(/^\?/, '')}`);
  const list = parseCollectionQuery(collection, parameters, ['where', 'q', 'sort']);
  const values = replacements.map(({ from }) => from);
  const query = { ...list, where: [...list.where, { column, op: 'in' as const, values }] };
  const found = await database.read((db) => readIdsInWorker(db, collection, query, MAX_IDS + 1));
  if (found.length > MAX_IDS) {
    const count = await database.read((db) => countRecordsInWorker(db, collection, query));
    throw new ApiError('validation_failed', listTexts.tooManyMatches({ count, max: MAX_IDS }));
  }
  const ids = found.map(({ id }) => id);
  const edit = { field: column.name, do: 'replaceValues', replacements, remember } as const;
  if (!field) return planKeywords(database, collection, writer, ids, edit);
  return planSelection(database, collection, writer, ids, [edit]);
}

/**
 * @param field null: a keyword field
 * @throws {ApiError} 422 if the field is unique, a value has several replacements, or a keyword field cannot have one
 */
function requireReplacements(
  field: Field | null,
  replacements: ReplacementsBody['replacements'],
): void {
  if (field?.unique) {
    throw new ApiError('validation_failed', { field: [texts.unique({ name: field.name })] });
  }
  const errors: MessagesByPath = {};
  const replaced = new Set<string>();
  for (const [i, { from }] of replacements.entries()) {
    if (replaced.has(from))
      errors[`replacements.${i}.from`] = [texts.replacedTwice({ value: from })];
    replaced.add(from);
  }
  for (const [i, { to }] of replacements.entries()) {
    if (replaced.has(to)) errors[`replacements.${i}.to`] = [texts.alsoReplaced({ value: to })];
    const parsed = field ? null : parseKeyword(to);
    if (parsed && !parsed.ok) errors[`replacements.${i}.to`] = [parsed];
  }
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
}
