import { changeTables } from '#server/database/change-tables.ts';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import { READ_COMMITTED, type Transaction } from '#server/database/database.ts';
import { mapFields } from '#server/http/query-fields.ts';
import { isSameName } from '#shared/rules/names.ts';
import { readNewestHistoryId } from '#server/database/records/changed-records.ts';
import {
  changeDefinition,
  DEFINITION_SUBJECT_IDS,
  removeDefinition,
} from '../definitions/definitions.service.ts';
import { formerNamesOf } from '../definitions/former-names.ts';
import { requireStoredDefinition } from '../definitions/stored-definitions.ts';
import {
  runInParts,
  stepUnderLock,
  storeStep,
  type JobContext,
  type JobStep,
} from '../definition-jobs/job-context.ts';
import * as jobs from '../definition-jobs/job-rows.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { findImportsWithHeaders, removePlannedRows } from '../bulk-edits/bulk-edit-removal.ts';
import { recordSystemHistory } from '../history/history.service.ts';
import { renameFieldsInQueues } from '../queues/queues.service.ts';
import { renameFieldsInViews } from '../views/views.service.ts';
import { purgeAnswers } from '#server/database/stored-responses.ts';
import { dropFieldIndexes, removeFields } from '#server/database/records/record-tables.ts';
import { removeFiles } from './file-removal.ts';
import { PURGE_CHANGE, PurgeDigest } from './purged-entries.ts';
import { subjectOf, type PurgeSubject } from './purge-subject.ts';
import {
  purgesOf,
  readEntriesUpTo,
  readPurges,
  removeChanges,
  type EntriesPage,
  type EntryPosition,
} from './purges.store.ts';
import * as removal from './purge-removal.store.ts';

/**
 * Runs one phase of a purge: its entry is added to the history (`prepare`), changes are removed from the entries of
 * records (`blank`), then the values, files and everything that may contain them (`remove`). Each can be repeated from
 * where it ended.
 * @param number of the retired field; null: the whole retired archive or table
 */
export async function continuePurge(
  context: JobContext,
  job: DefinitionJob,
  number: number | null,
): Promise<JobStep> {
  if (job.state === 'cancelling') return storeStep(context, { state: 'cancelled' });
  const subject = await context.database.read(async (db) =>
    subjectOf(await requireStoredDefinition(db, job.scope, job.collectionId), number),
  );
  if (!subject) return storeStep(context, { state: 'failed', error: 'changed_meanwhile' });
  switch (job.phase) {
    case 'prepare':
      return prepare(context, job, subject);
    case 'blank':
      return blank(context, job, subject);
    case 'remove':
      return erase(context, job, subject, number);
    default:
      throw new Error(`A purge has no phase ${job.phase}.`);
  }
}

/** Adds the entry of the purge; from then on `verify` expects missing changes. */
async function prepare(
  { database, claim, signal }: JobContext,
  { baseVersion }: DefinitionJob,
  { all, description }: PurgeSubject,
): Promise<JobStep> {
  // Waits for writes that began while the field was active. Later ones cannot name it.
  const upTo = await changeTables(database, async (db) => {
    await db.adapter.lockDefinition(db, all);
    // At once: a later entry that ends or replaces an exception has its reason.
    await removal.removeExceptions(db, all, description.fields);
    return readNewestHistoryId(db);
  });
  const scope = { names: description.names, fields: description.fields, upTo };
  const earlier = await database.read(async (db) => purgesOf(await readPurges(db), all));
  const digest = new PurgeDigest([...earlier, scope]);
  const yieldToOthers = createCooperativeYield(signal);
  for (let after: EntryPosition | null = null; ;) {
    if (signal.aborted) return null;
    const started = performance.now();
    const position: EntryPosition | null = after;
    const page: EntriesPage = await database.read((db) => readEntriesUpTo(db, all, upTo, position));
    for (const entry of page.entries) digest.add(entry);
    if (!page.next) break;
    after = page.next;
    await yieldToOthers(performance.now() - started);
  }
  const summed = digest.end();
  return database.write(async (db) => {
    const job = await claim(db);
    if (!job) return null;
    if (job.state === 'cancelling') return null;
    const { state } = await requireStoredDefinition(db, all.kind, all.id);
    const step: JobStep =
      state.version === baseVersion
        ? { phase: 'blank', position: 0, sinceEntry: upTo, done: 0, total: summed.entries }
        : { state: 'failed', error: 'changed_meanwhile' };
    if (step.phase) {
      await recordSystemHistory(db, job.actor, Date.now(), {
        scope: 'definition',
        kind: 'purge',
        collectionId: DEFINITION_SUBJECT_IDS[all.kind],
        rowId: all.id,
        before: null,
        after: { [PURGE_CHANGE]: { ...description, upTo, ...summed } },
      });
    }
    await jobs.updateDefinitionJob(db, job.id, step);
    return step;
  });
}

/** Removes changes from the entries of the history, in ranges of their ids. */
async function blank(
  context: JobContext,
  { sinceEntry: upTo }: DefinitionJob,
  { all }: PurgeSubject,
): Promise<JobStep> {
  // As its entry says, which may be one of an older version: its digest is that of what is left then.
  const purge = (
    await context.database.read(async (db) => purgesOf(await readPurges(db), all))
  ).findLast((stored) => stored.upTo === upTo);
  if (!purge) throw new Error('The entry of the purge is missing.');
  return overwriting(context, () =>
    runInParts(context, async (db, { position, done, total }, size) => {
      if (position >= upTo) {
        return { phase: 'remove', position: Number.MIN_SAFE_INTEGER };
      }
      const last = Math.min(upTo, position + size);
      const removed = await removeChanges(db, all, purge, [position, last]);
      return { position: last, done: Math.min(done + removed, total) };
    }),
  );
}

/** Removes the remaining values. */
async function erase(
  context: JobContext,
  job: DefinitionJob,
  subject: PurgeSubject,
  number: number | null,
): Promise<JobStep> {
  return overwriting(context, async () => {
    await removeBulkEdits(context, subject);
    if (context.signal.aborted) return null;
    await context.database.write(async (db) => {
      await purgeAnswers(db, subject.all);
      await jobs.removeTallies(db, subject.all);
    });
    return number === null
      ? eraseAll(context, job, subject)
      : eraseFields(context, subject, number);
  });
}

/** Runs work whose deletions are overwritten in the database file. */
async function overwriting(
  { database }: JobContext,
  work: () => Promise<JobStep>,
): Promise<JobStep> {
  await database.adapter.overwriteDeleted(database, true);
  try {
    return await work();
  } finally {
    await database.adapter.overwriteDeleted(database, false);
  }
}

/** Batches contain values before and after, plans too. */
async function removeBulkEdits(context: JobContext, { all, fields }: PurgeSubject): Promise<void> {
  const { database } = context;
  const names = fields && (await database.read((db) => formerNamesOf(db, all, fields)));
  const purged = names && { names, imports: await findImportsWithHeaders(database, all, names) };
  const ids = await database.write(
    (db) => removal.markBulkEditsDeleted(db, all, purged),
    READ_COMMITTED,
  );
  for (const id of ids) await untilNone(context, (db, size) => removePlannedRows(db, id, size));
}

/** Removes rows in parts. @param remove removes this many, and returns whether there are more */
function untilNone(
  context: JobContext,
  remove: (db: Transaction, size: number) => Promise<boolean>,
): Promise<JobStep> {
  return runInParts(context, async (db, _job, size) => ((await remove(db, size)) ? {} : null));
}

async function eraseAll(
  context: JobContext,
  { id }: DefinitionJob,
  { all }: PurgeSubject,
): Promise<JobStep> {
  const { database, claim, signal } = context;
  if (all.kind === 'archive') await removeFiles(context, all.id, id);
  await untilNone(context, (db, size) => removal.removeLoadedRows(db, all, size));
  // SQLite would write all pages of a large table in one transaction.
  if (!database.adapter.isShared) {
    await untilNone(context, (db, size) => removal.removeRecords(db, all, size));
  }
  if (signal.aborted) return null;
  return changeTables(database, async (db) => {
    const job = await claim(db);
    if (!job) return null;
    await db.adapter.lockDefinition(db, all);
    await removal.removeWorkspace(db, all);
    await db.adapter.dropRecordTables(db, all);
    await removeDefinition(db, all, job.actor);
    await jobs.updateDefinitionJob(db, job.id, { state: 'done' });
    return { state: 'done' };
  });
}

async function eraseFields(
  context: JobContext,
  { all, active, fields }: PurgeSubject,
  number: number,
): Promise<JobStep> {
  if (!fields) throw new Error('No field is purged.');
  const { database } = context;
  const { values, keywords, name } = fields;
  await changeTables(database, async (db) => {
    for (const field of values) await db.adapter.dropUniqueness(db, all, field);
    await dropFieldIndexes(db, all, values);
  });
  const numbers = [...values.map(({ number }) => number), ...keywords];
  await database.write((db) => removal.removeAliases(db, all, numbers));
  const ended = await runInParts(context, async (db, { position, done }, size) => {
    const last = await removal.removeValues(db, active, { values, keywords }, position, size);
    return last === null ? { phase: 'remove' } : { position: last, done };
  });
  if (!ended) return null;
  return stepUnderLock(context, all, async (db, job) => {
    // What another table has renamed in it meanwhile stays renamed.
    const stored = await requireStoredDefinition(db, all.kind, all.id);
    const after = subjectOf(stored, number)?.fields?.after;
    if (!after) return {};
    await removeFields(db, all, values);
    await changeDefinition(db, all.id, after, stored.retiredAt, job.actor);
    const remove = (search: string) =>
      mapFields(search, (other) => (isSameName(other, name) ? null : other));
    await renameFieldsInViews(db, all, remove);
    if (all.kind === 'archive') await renameFieldsInQueues(db, all.id, remove, (path) => path);
    return { state: 'done' };
  });
}
