import { ID_SCHEMA } from '#server/http/route.ts';
import * as texts from '#messages/service/audit.ts';
import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { AUDIT_KINDS } from '#shared/contract/audit.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#shared/rules/limits.ts';
import { type CollectionKind, nameKey } from '#shared/rules/names.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import { currentNamesOf } from '../history/history.service.ts';
import { readPurges, type Purge } from '../purges/purges.service.ts';
import { isNamed } from '../rights/named-rights.ts';
import type { AuditFilter } from './audit-filter.ts';
import { readSpelling } from './audit.store.ts';

const FORMATS = ['json', 'csv', 'jsonl'] as const;

/** The parsed query of an audit call. */
interface AuditQuery {
  readonly filter: AuditFilter;
  readonly format: (typeof FORMATS)[number];
  /** the id of the entry after which the page begins; null: start with the newest */
  readonly after: number | null;
  readonly limit: number;
}

const text = (description: string) => ({
  description,
  schema: { type: 'string', minLength: 1, pattern: String.raw`^[^\u0000]*$` },
});
const instant = (description: string) => ({
  description,
  schema: { type: 'string', pattern: '^2[0-9]{3}-0[1-9]-(?:0[1-9]|1[0-9])$' },
});

export const AUDIT_PARAMETERS = {
  from: instant('a day (UTC) or an instant with an offset: only entries from then on'),
  to: instant('a day (UTC, inclusive) or an instant with an offset: only entries up to then'),
  user: text('the username of the author'),
  kind: {
    description: 'the kind of the entries',
    schema: { type: 'string', enum: [...AUDIT_KINDS] },
  },
  archive: text(
    'an archive, by its table name or GUID, including retired ones: entries of its documents and its definition',
  ),
  table: text(
    'a table, by its name or GUID, including retired ones: entries of its datasets and its definition',
  ),
  field: text('the name of what was changed, such as an index field, keyword.NAME or a column'),
  value: text(
    'a value before or after the change: a part of a text, ignoring case, or a number or date as it is written',
  ),
  after: {
    description: 'the `next` of the previous page',
    schema: ID_SCHEMA,
  },
  limit: 'maximum number of entries; 50 by default',
  format: {
    description: 'json, or all entries as a file: csv, or jsonl with the proof of the chain',
    schema: { type: 'string', enum: [...FORMATS] },
  },
} as const;

/** @throws {ApiError} 400 naming the parameters */
export async function readAuditQuery(db: Transaction, query: QueryParameters): Promise<AuditQuery> {
  const names = [
    ...(['from', 'to', 'user', 'kind', 'archive', 'table'] as const),
    ...(['field', 'value', 'after', 'limit', 'format'] as const),
  ];
  const reader = new QueryReader(query, names);
  const readTime = (name: 'from' | 'to') => {
    const given = reader.text(name);
    if (given === undefined) return null;
    const time = timeOf(given, name === 'to');
    if (time === null) reader.refuse(name, texts.notATime);
    return time;
  };
  const collections = await readAllCollections(db);
  const collection = findCollection(collections, await readPurges(db), reader);
  const after = reader.has('after') ? reader.integer('after', 0, 1, Number.MAX_SAFE_INTEGER) : null;
  const username = reader.text('user') ?? null;
  const read: AuditQuery = {
    filter: {
      from: readTime('from'),
      to: readTime('to'),
      username: username === null ? null : ((await readSpelling(db, username)) ?? username),
      kind: reader.oneOf('kind', AUDIT_KINDS) ?? null,
      collection: collection && { kind: collection.kind, id: collection.id },
      fields: namesOf(reader.text('field'), collection ? [collection] : collections),
      value: reader.text('value')?.toLowerCase() ?? null,
    },
    format: reader.oneOf('format', FORMATS) ?? 'json',
    after,
    limit: reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
  };
  requireValid(reader);
  return read;
}

/**
 * The names in the history of the fields that have this name today; the name itself if there are none, such as `role`.
 */
function namesOf(
  given: string | undefined,
  collections: readonly AuditedCollection[],
): string[] | null {
  if (given === undefined) return null;
  const key = given.toLowerCase();
  const names = collections.flatMap((collection) =>
    [...currentNamesOf(collection)].filter(([, name]) => name.toLowerCase() === key),
  );
  return names.length === 0 ? [key] : [...new Set(names.map(([name]) => name.toLowerCase()))];
}

/** The data by which the audit finds entries. */
type AuditedCollection = Pick<Collection, 'kind' | 'id' | 'fields' | 'keywordFields'>;

/** A purged archive or table, by its former name, or a table by its GUID; the newest one. */
function findPurged(
  purges: readonly Purge[],
  kind: Purge['kind'],
  key: string,
): AuditedCollection | undefined {
  const purge = purges.findLast(
    ({ kind: of, names, name, table = '' }) =>
      of === kind && names === null && (nameKey(name) === key || nameKey(table) === key),
  );
  return purge && { kind, id: purge.collectionId, fields: [], keywordFields: [] };
}

function findCollection(
  collections: readonly Collection[],
  purges: readonly Purge[],
  reader: QueryReader<CollectionKind>,
): AuditedCollection | null {
  const [archive, table] = [reader.text('archive'), reader.text('table')];
  const given = archive ?? table;
  if (given === undefined) return null;
  const kind = archive === undefined ? 'table' : 'archive';
  if (archive !== undefined && table !== undefined) reader.refuse('table', texts.archiveOrTable);
  const found =
    collections.find((collection) => collection.kind === kind && isNamed(collection, given)) ??
    findPurged(purges, kind, nameKey(given));
  if (!found) {
    const missing = kind === 'archive' ? texts.noSuchArchive : texts.noSuchTable;
    reader.refuse(kind, missing({ name: given }));
    return null;
  }
  return found;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const DAY_LENGTH = 24 * 60 * 60 * 1000;

/** @param isEnd whether a day means its end; null: not a time */
function timeOf(given: string, isEnd: boolean): number | null {
  const isDay = DAY.test(given);
  if (!isDay && !INSTANT.test(given)) return null;
  const time = Date.parse(given);
  // `Date.parse` accepts 30 February as a day in March.
  if (Number.isNaN(time) || (isDay && new Date(time).toISOString().slice(0, 10) !== given))
    return null;
  return isDay && isEnd ? time + DAY_LENGTH - 1 : time;
}
