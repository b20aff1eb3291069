import { sql } from 'kysely';
import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { insertRows } from '#server/database/records/bulk-statements.ts';
import {
  EXCEPTION_PREFIX,
  fieldNumbers,
  readExceptions,
} from '#server/database/records/check-exceptions.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  fullCollectionOf,
  isExceptionVisible,
  narrowRecord,
} from '#server/database/records/collection-view.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import { findByName } from '#shared/rules/names.ts';
import { recordHistory } from '../history/history.service.ts';
import { readForWriting, type ErrorPaths, type Writer } from '../records/records.service.ts';
import { requireCheck } from './checks.service.ts';
import { findRecordKeys, keysIn } from './duplicate-keys.ts';
import { findingsMeta } from './findings.service.ts';

const PATHS: ErrorPaths = { whole: '-', field: (name) => name, keyword: () => '-' };

/** The record and the check of an exception. */
interface Target {
  readonly id: number;
  /** the name of the check */
  readonly check: string;
  readonly ifMatch: string | null;
}

/** A new exception. */
interface GivenException {
  readonly reason: string;
  /** the other records of pairs of duplicates */
  readonly with: readonly number[] | null;
}

/**
 * Makes an exception that a record is right although it fails a check, valid while the fields of the finding keep their
 * values. Makes a new version of the record, with an entry of the history.
 * @param exception null: an exception ends
 * @throws {ApiError} 404; 423; 412; 422 if the check finds nothing, or the others are not duplicates
 */
export async function setException(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  { id, check: name, ifMatch }: Target,
  exception: GivenException | null,
): Promise<StoredRecord> {
  const check = requireCheck(collection, name);
  const errors = new EntryErrors();
  const targets = [{ id, paths: PATHS, ifMatch }];
  const record = (await readForWriting(db, collection, writer, targets, errors)).get(id);
  errors.throwIfAny(true);
  if (!record) throw new ApiError('not_found', texts.noCheck({ name }));
  const before = await readException(db, collection, id, check.name);
  if (!exception && !before) return narrowRecord(collection, record);
  const numbers = exception
    ? await requireFinding(db, collection, { record, check }, exception, before)
    : [];
  const at = Date.now();
  // Each pair of duplicates is a separate exception: those with other records stay.
  if (before && (!exception || !check.duplicates)) {
    await deleteExceptions(db, collection, id, check.name, before.fields);
  }
  if (exception) {
    const about = [`,${numbers.join()},`, exception.reason, writer.username, at];
    await storeException(db, collection, { id, check: check.name }, exception.with ?? [0], about);
  }
  const version = record.version + 1;
  await sql`update ${sql.table(tableName(collection))}
    set _version = ${version} where _id = ${id}`.execute(db.k);
  const after = exception && (await readException(db, collection, id, check.name));
  const marked = check.definition ? numbersOf(collection, check.fields) : [];
  const change = {
    name: `${EXCEPTION_PREFIX}${check.name}`,
    before: before && before.entry,
    after: after && after.entry,
    fields: [...new Set([...numbers, ...(before?.numbers ?? []), ...marked])],
  };
  await recordHistory(db, fullCollectionOf(collection), writer, at, [
    { kind: 'lock', id, version, before: record, after: record, otherChanges: [change] },
  ]);
  return narrowRecord(collection, { ...record, version });
}

/**
 * The numbers of the fields whose change ends the exception.
 * @throws {ApiError} 422 if the check finds nothing, or the others are not duplicates
 */
async function requireFinding(
  db: Transaction,
  collection: Collection,
  { record, check }: { readonly record: StoredRecord; readonly check: Check },
  exception: GivenException,
  before: StoredException | null,
): Promise<number[]> {
  const { findings } = await findingsMeta(db, collection, narrowRecord(collection, record));
  const finding = findings.find((found) => found.check === check.name);
  if (check.duplicates) {
    if (!exception.with) throw new ApiError('validation_failed', { with: [texts.withMissing] });
    await requireDuplicates(db, collection, check, record.id, exception.with);
  } else if (exception.with) {
    throw new ApiError('validation_failed', { with: [texts.withOfRule] });
  } else if (!finding && !before) {
    throw new ApiError('validation_failed', texts.nothingFound({ name: check.name }));
  }
  if (check.definition) return numbersOf(collection, check.uses);
  // Findings of a built-in check on other fields do not matter.
  const found = check.parts.filter((part) =>
    part.fields.every((field) => finding?.fields.includes(field)),
  );
  const uses = found.flatMap((part) => part.uses);
  return [...new Set([...numbersOf(collection, uses), ...(before?.numbers ?? [])])];
}

/**
 * @param others the other records of pairs; 0: none
 * @param about the last values of `COLUMNS`
 */
async function storeException(
  db: Transaction,
  collection: Collection,
  { id, check }: Pick<Target, 'id' | 'check'>,
  others: readonly number[],
  about: readonly (string | number)[],
): Promise<void> {
  const of = [collection.kind, collection.id];
  const rows = others.flatMap((other) => [
    [...of, id, check, other, ...about],
    ...(other === 0 ? [] : [[...of, other, check, id, ...about]]),
  ]);
  for (const row of rows) {
    if (row[4] === 0) continue;
    await sql`delete from check_exceptions where scope = ${collection.kind}
      and thing_id = ${collection.id} and row_id = ${row[2]} and name = ${check}
      and with_id = ${row[4]}`.execute(db.k);
  }
  await insertRows(db, 'check_exceptions', COLUMNS, rows);
}

const COLUMNS = [
  'scope',
  'thing_id',
  'row_id',
  'name',
  'with_id',
  'fields',
  'reason',
  'made_by',
  'made_at',
];

/** The numbers of fields. */
function numbersOf(collection: Collection, names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const field = findByName(fullCollectionOf(collection).fields, name);
    return field ? [field.number] : [];
  });
}

interface StoredException {
  /** in the form for the history */
  readonly entry: { readonly reason: string; readonly with?: string[] };
  /** the fields whose change ends it */
  readonly numbers: readonly number[];
  /** the stored lists of these fields */
  readonly fields: readonly string[];
}

/**
 * The exception of a record from a check. Several about different fields are one, with the newest reason; of those that the
 * user does not see there are none.
 */
async function readException(
  db: Transaction,
  collection: Collection,
  rowId: number,
  name: string,
): Promise<StoredException | null> {
  const all = await readExceptions(db, collection, rowId);
  const rows = all.filter(
    (row) => row.name === name && isExceptionVisible(collection, fieldNumbers(row.fields)),
  );
  const [first] = rows;
  if (!first) return null;
  const others = rows
    .flatMap(({ with_id }) => (with_id === 0 ? [] : [with_id]))
    .toSorted((a, b) => a - b)
    .map(String);
  const fields = [...new Set(rows.map((row) => row.fields))];
  return {
    entry: { reason: first.reason, ...(others.length > 0 && { with: others }) },
    numbers: [...new Set(fields.flatMap(fieldNumbers))],
    fields,
  };
}

/** @param fields the stored lists of those that the user sees */
async function deleteExceptions(
  db: Transaction,
  { kind, id }: Collection,
  rowId: number,
  name: string,
  fields: readonly string[],
): Promise<void> {
  await sql`delete from check_exceptions where scope = ${kind} and thing_id = ${id}
    and name = ${name} and (row_id = ${rowId} or with_id = ${rowId})
    and fields in (${sql.join(fields)})`.execute(db.k);
}

/** @throws {ApiError} 422 naming those that are equal to the record in no list of fields of the check */
async function requireDuplicates(
  db: Transaction,
  collection: Collection,
  check: Check,
  id: number,
  others: readonly number[],
): Promise<void> {
  const compared = [...new Set([id, ...others])];
  const keys = keysIn(await findRecordKeys(db, collection, check, compared));
  const ofRecord = keys.filter((key) => key.id === id);
  const isDuplicate = (other: number) =>
    other !== id &&
    keys.some(
      ({ id: otherId, part, key }) =>
        otherId === other && ofRecord.some((equal) => equal.part === part && equal.key === key),
    );
  const wrong = others.filter((other) => !isDuplicate(other));
  if (wrong.length === 0) return;
  throw new ApiError('validation_failed', {
    with: [texts.noSuchDuplicate({ id: wrong.join(', ') })],
  });
}
