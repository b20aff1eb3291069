import * as recordTexts from '#messages/service/records.ts';
import * as texts from '#messages/service/merges.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { fullCollectionOf, narrowRecord } from '#server/database/records/collection-view.ts';
import { readRecord, readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import type { Merged, MergePlan } from '#shared/contract/merge-answers.ts';
import type { MergeBody, UndoMergeBody } from '#shared/contract/merge-requests.ts';
import { type CollectionKind, indexOfName } from '#shared/rules/names.ts';
import type { Access } from '#shared/rules/rights.ts';
import { JsonNumber } from '#shared/values/json.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { planUndo } from '../records/undo.service.ts';
import { readNewestHistoryIds } from '../history/history.service.ts';
import { pathsBelow, readSentRecord, type SentValue } from '../records/sent-record.ts';
import {
  planChanges,
  planRemovals,
  type ErrorPaths,
  type Writer,
} from '../records/records.service.ts';
import { executePlan } from '../records/write-plan.ts';
import { visibleTo, type RightsSubject } from '../rights/rights.service.ts';
import { findReferences, type MergedRecords, type References } from './references.ts';

const KEPT_RECORD_PATHS: ErrorPaths = {
  whole: 'keep',
  field: (name) => `values.${name}`,
  keyword: () => 'keep',
};

/** A merge in its present effect. */
interface PlannedMerge extends MergedRecords {
  readonly table: Table;
  readonly references: readonly References[];
}

/**
 * Plans a merge: the values of the remaining record, and the look-ups that would point to it.
 * @throws {ApiError} 404, 422, 403 if records that the caller may not change look up values
 */
export async function planMerge(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
  table: Table,
  body: MergeBody,
): Promise<PlannedMerge> {
  const records = await readMerged(db, table, body);
  const references = await findReferences(db, definitions, person, table, records);
  return { ...records, table, references };
}

async function readMerged(db: Transaction, table: Table, body: MergeBody): Promise<MergedRecords> {
  const ids = [body.keep, ...body.merge].map(({ jrid }) => jrid);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) {
    throw new ApiError('validation_failed', {
      merge: [texts.mergedIntoItself({ jrid: repeated })],
    });
  }
  const fullCollection = fullCollectionOf(table);
  const lock = db.isWrite ? 'lock' : 'no lock';
  const found = await readRecords(db, fullCollection, ids, lock);
  const errors = new EntryErrors();
  const [keep, ...merged] = ids.flatMap((id, at) => {
    const record = found.get(id);
    const path = at === 0 ? KEPT_RECORD_PATHS.whole : `merge.${at - 1}`;
    if (!record) {
      errors.add('not_found', path, recordTexts.noRecordOfId({ what: 'record', id }));
    }
    return record ?? [];
  });
  errors.throwIfAny(false);
  if (!keep) throw new Error('A record of the merge is missing');
  const sent = { values: sentValues(body), keywords: [] };
  const given = readSentRecord(table, sent, narrowRecord(table, keep), KEPT_RECORD_PATHS, errors);
  errors.throwIfAny(false);
  const after = [...keep.values];
  for (const [index, value] of given.values) {
    after[indexOfName(fullCollection.fields, table.fields[index]?.name ?? '')] = value;
  }
  return { keep, merged, after };
}

function sentValues({ values = {} }: MergeBody): SentValue[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** A plan in the form of the answer. */
export function toMergePlan({ table, keep, merged, after, references }: PlannedMerge): MergePlan {
  const fullCollection = fullCollectionOf(table);
  return {
    keep: String(keep.id),
    removed: merged.map(({ id }) => String(id)),
    changes: table.fields.flatMap(({ name }) => {
      const index = indexOfName(fullCollection.fields, name);
      const [before, value] = [keep.values[index] ?? null, after[index] ?? null];
      return before === value ? [] : [{ name, before, after: value }];
    }),
    references: references.map(({ collection, field, from, to, ids }) => ({
      ...collectionReference(collection),
      name: collection.label,
      field: field.name,
      label: field.label,
      from: [...from],
      to,
      count: ids.length,
    })),
  };
}

function collectionReference(collection: Collection): { kind: CollectionKind; id: string } {
  const { kind, name, guid } = collection;
  return { kind, id: kind === 'archive' ? name : guid };
}

type Undo = Merged['meta']['undo'];

/** Who merges records: what they may see, and the author in the history. */
interface Merger {
  readonly person: RightsSubject;
  readonly writer: Writer;
}

/**
 * Merges records, all or nothing: the others are deleted, the remaining one gets the values, and look-ups of the others
 * point to it.
 * @throws {ApiError} as `planMerge`; 412, 423
 */
export async function mergeRecords(
  db: Transaction,
  definitions: Definitions,
  { person, writer }: Merger,
  table: Table,
  body: MergeBody,
): Promise<{ readonly record: StoredRecord; readonly undo: Undo }> {
  const { keep, merged, references } = await planMerge(db, definitions, person, table, body);
  const undo: Undo = [];
  /** Adds the newest entries of these records, which the call has just written. */
  const addWritten = async (collection: Collection, rowIds: readonly number[]) => {
    const newest = await readNewestHistoryIds(db, collection, rowIds);
    const historyIds = [...newest.values()].map(String);
    const { kind, id } = collectionReference(collection);
    const known = undo.find((one) => one.kind === kind && one.id === id);
    if (known) known.historyIds.push(...historyIds);
    else if (historyIds.length > 0) undo.push({ kind, id, historyIds });
  };
  // Deleted first, so that the values of unique columns are free.
  const removed = body.merge.map(({ jrid, ifMatch }, at) => ({
    id: jrid,
    paths: pathsBelow(`merge.${at}`),
    ifMatch: ifMatch ?? null,
  }));
  await executePlan(db, await planRemovals(db, table, writer, removed));
  await addWritten(
    table,
    merged.map(({ id }) => id),
  );
  const change = {
    id: keep.id,
    paths: KEPT_RECORD_PATHS,
    ifMatch: body.keep.ifMatch ?? null,
    sent: { values: sentValues(body), keywords: [] },
    requiresAllFields: false,
  };
  const kept = await executePlan(db, await planChanges(db, table, writer, [change]));
  await addWritten(table, kept.changedIds);
  for (const [collection, redirected] of Map.groupBy(
    references,
    (reference) => reference.collection,
  )) {
    const ids = await redirectReferences(db, collection, writer, redirected);
    await addWritten(collection, ids);
  }
  const record = await readRecord(db, table, keep.id);
  if (!record) throw new Error('The merged record is missing');
  return { record, undo };
}

/** @returns the ids of the changed records */
async function redirectReferences(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  references: readonly References[],
): Promise<readonly number[]> {
  const fullCollection = fullCollectionOf(collection);
  const ids = references.flatMap((reference) => reference.ids);
  // Others may have changed or deleted them since they were found.
  const records = await readRecords(db, fullCollection, ids, 'lock');
  const values = new Map<number, SentValue[]>();
  for (const { ids, field, from, to } of references) {
    const index = indexOfName(fullCollection.fields, field.name);
    for (const id of ids) {
      const value = records.get(id)?.values[index] ?? null;
      if (!from.includes(value)) continue;
      values.set(id, [...(values.get(id) ?? []), { name: field.name, value: toJson(to) }]);
    }
  }
  const entries = [...values].map(([id, sent]) => ({
    id,
    paths: pathsBelow(`references.${collection.name}.${id}`),
    ifMatch: null,
    sent: { values: sent, keywords: [] },
    requiresAllFields: false,
  }));
  const changed = await executePlan(db, await planChanges(db, collection, writer, entries));
  return changed.changedIds;
}

function toJson(value: Scalar) {
  return typeof value === 'number' ? new JsonNumber(String(value)) : value;
}

/**
 * Reverts a merge of the caller, all or nothing: every record gets its previous state.
 * @returns the records of the table that were restored
 * @throws {ApiError} 404, 403; 412 if one of them was changed since
 */
export async function undoMerge(
  db: Transaction,
  definitions: Definitions,
  { person, writer }: Merger,
  { table, access }: { readonly table: Table; readonly access: Access },
  { undo }: UndoMergeBody,
): Promise<StoredRecord[]> {
  const restored: StoredRecord[] = [];
  for (const [position, { kind, id, historyIds }] of undo.entries()) {
    const isOwn = kind === 'table' && id === table.guid;
    const visible = isOwn
      ? { collection: table, access }
      : await findChangeable(db, definitions, person, kind, id);
    const { collection } = visible;
    const entries = { historyIds, path: `undo.${position}.historyIds` };
    const plan = await planUndo(db, collection, writer, visible.access, entries);
    const records = await executePlan(db, plan);
    if (isOwn) restored.push(...records);
  }
  return restored;
}

/** @throws {ApiError} 404 if it does not exist for the user, 403 if the user may not change it */
async function findChangeable(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
  kind: CollectionKind,
  id: string,
) {
  const fullCollection =
    kind === 'archive'
      ? await definitions.findArchive(db, id)
      : await definitions.findTable(db, id);
  const visible = fullCollection && (await visibleTo(db, person, fullCollection));
  if (!visible) throw new ApiError('not_found', texts.collectionGone);
  if (visible.access === 'read') throw new ApiError('forbidden', texts.referencesForbidden);
  return visible;
}
