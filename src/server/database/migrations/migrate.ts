import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import type { Transaction } from '../database.ts';
import { createAccessTokens } from './access-token-table.ts';
import { indexAudit } from './audit-indexes.ts';
import { storeBulkEditFieldNumbers } from './bulk-edit-fields.ts';
import { storeImportedFileNames } from './bulk-edit-file-names.ts';
import { createBulkEditTables } from './bulk-edit-tables.ts';
import { createSystemTables } from './initial-tables.ts';
import { createDefinitionJobs } from './definition-jobs.ts';
import { createCheckTables } from './check-tables.ts';
import { createDeskTables } from './desk-tables.ts';
import { keyExceptionsByFields } from './exceptions-by-fields.ts';
import { createFileTexts } from './file-texts.ts';
import { createHistoryBlocks } from './history-blocks.ts';
import { createDailyFindings } from './daily-findings.ts';
import { createValueAliases } from './value-alias-table.ts';
import { createValueCorrections } from './value-correction-table.ts';
import { rememberPasswordTimes } from './password-times.ts';
import { createDailySizes } from './daily-sizes.ts';
import { createHistoryOutbox } from './history-outbox.ts';
import { createSecondFactors } from './second-factors.ts';
import { createUserGroups } from './user-groups.ts';
import { indexIds } from './record-id-indexes.ts';
import { linkSessionsToDevices } from './session-devices.ts';
import { allowBulkEditsOfTables } from './bulk-edits-of-tables.ts';
import { allowViewsOfTables } from './views-of-tables.ts';
import { addDefinitionAndUserEvents } from './definition-and-user-events.ts';
import { addEntryMarks } from './entry-marks.ts';
import { createSearchDue, reduceSearchMerging } from './search-queue.ts';
import { storePresenceByWindow } from './presence-by-window.ts';
import { writeSortKeysByTrigger, addSortKeyColumns } from './sort-key-columns.ts';
import { countRecordsByTriggers } from './record-count-triggers.ts';
import { createRecordKeys } from './record-keys.ts';
import { partitionDuplicateKeys } from './duplicate-key-partitions.ts';
import { createProviderIdentities } from './provider-identities.ts';
import { createSessionViews } from './session-views.ts';
import { createSystemJobs } from './system-job-table.ts';
import { limitStoredAnswers } from './limit-stored-answers.ts';
import { createRunningRequests } from './running-requests.ts';
import { preparePurges } from './purges.ts';
import { createStorageSecret } from './storage-secret.ts';
import { hasNoTables, assertHasTables } from './schema-ownership.ts';
import { readSetting, TRIGRAM_KEY, writeSetting } from '../installation.ts';

/** One step from a version of the database to the next. */
interface Step {
  /** what it changes, for the administrator: the rest of a sentence that begins with a verb */
  readonly does: string;
  /** @returns the PostgreSQL tables that it has rewritten, which must be vacuumed */
  readonly run: (db: Transaction) => Promise<readonly string[] | void>;
}

/** The steps in their order: the version of a database is the number of steps applied to it. Never reorder. */
const STEPS: readonly Step[] = [
  { does: 'create the system tables', run: createSystemTables },
  { does: 'create the tables of bulk edits', run: createBulkEditTables },
  { does: 'create the tables of queues, flags, views and presence', run: createDeskTables },
  { does: 'let views belong to tables too', run: allowViewsOfTables },
  { does: 'let bulk edits belong to tables too', run: allowBulkEditsOfTables },
  { does: 'write definitions, users and sessions to the history', run: addDefinitionAndUserEvents },
  { does: 'create the hash chain of the history', run: createHistoryBlocks },
  { does: 'index the ids of records (SQLite)', run: indexIds },
  { does: 'add the marks of entries to the hash chain', run: addEntryMarks },
  { does: 'create the queue of the search index (SQLite)', run: createSearchDue },
  { does: 'record presence by browser window (PostgreSQL)', run: storePresenceByWindow },
  {
    does: 'store the sort keys of texts, rewriting record tables (PostgreSQL)',
    run: addSortKeyColumns,
  },
  {
    does: 'create the secret from which the storage keys of users are derived',
    run: createStorageSecret,
  },
  { does: 'write the sort keys of texts by triggers (PostgreSQL)', run: writeSortKeysByTrigger },
  { does: 'bound the stored answers of idempotency keys', run: limitStoredAnswers },
  {
    does: 'keep the number of records of each archive and table by triggers (PostgreSQL)',
    run: countRecordsByTriggers,
  },
  { does: 'link sessions to the browsers in which they began', run: linkSessionsToDevices },
  { does: 'create the outbox of the history', run: createHistoryOutbox },
  { does: 'create groups of users and rights by field', run: createUserGroups },
  { does: 'record the size of the installation once a day', run: createDailySizes },
  { does: 'index the history for the audit', run: indexAudit },
  { does: 'create the table of jobs that change definitions', run: createDefinitionJobs },
  { does: 'create the table of sessions that see as another user', run: createSessionViews },
  { does: 'prepare purges of archives, tables and fields', run: preparePurges },
  { does: 'create the table of access tokens', run: createAccessTokens },
  { does: 'create the table of backups and checks', run: createSystemJobs },
  { does: 'remember the fields of bulk edits', run: storeBulkEditFieldNumbers },
  { does: 'create the tables of second factors', run: createSecondFactors },
  { does: 'create the tables of checks and their exceptions', run: createCheckTables },
  { does: 'create the tables of accounts at a provider', run: createProviderIdentities },
  { does: 'create the tables of the texts of files', run: createFileTexts },
  { does: 'record the findings of checks and their corrections by day', run: createDailyFindings },
  { does: 'create the table of aliases of values', run: createValueAliases },
  { does: 'remember when passwords were set', run: rememberPasswordTimes },
  { does: 'store the keys of duplicates by record', run: createRecordKeys },
  {
    does: 'store the keys of duplicates in a partition for each check (PostgreSQL)',
    run: partitionDuplicateKeys,
  },
  { does: 'store corrections of values in their order', run: createValueCorrections },
  {
    does: 'merge the large segments of the search index less often (SQLite)',
    run: reduceSearchMerging,
  },
  { does: 'create the table of requests that are under way', run: createRunningRequests },
  { does: 'let exceptions of a check be about different fields', run: keyExceptionsByFields },
  { does: 'store the names of imported files', run: storeImportedFileNames },
];

/** The newest database version that this program supports. */
export const SCHEMA_VERSION = STEPS.length;

const VERSION_KEY = 'schema_version';

/** An arbitrary number that no other program may use for an advisory lock in this database: "indexdsk" in ASCII. */
const ADVISORY_LOCK = '7597120008394929003';

/**
 * Brings the system tables up to date, in the transaction of `db`. Processes that start at the same time run it one
 * after the other.
 * @returns the PostgreSQL tables that were rewritten, which must be vacuumed after the commit
 * @throws {OperatorError} if the database has a newer version, or belongs to another
 * program
 */
export async function migrateTables(db: Transaction): Promise<readonly string[]> {
  await db.adapter.lockNumber(db, ADVISORY_LOCK);
  if (await hasNoTables(db)) await begin(db);
  const version = await readVersion(db);
  const rewrittenTables: string[] = [];
  for (const { run } of STEPS.slice(version)) rewrittenTables.push(...((await run(db)) ?? []));
  if (version < STEPS.length) await writeSetting(db, VERSION_KEY, String(STEPS.length));
  const trigram = await db.adapter.prepareTrigrams(db);
  if (trigram !== null) await writeSetting(db, TRIGRAM_KEY, trigram ? '1' : '0');
  return rewrittenTables;
}

/** Creates the table that stores the version. */
async function begin(db: Transaction): Promise<void> {
  await db.adapter.assertMayCreateTables(db);
  const { text, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('installation')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('value', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}

/** @throws {OperatorError} if the database has a newer version than this program */
async function readVersion(db: Transaction): Promise<number> {
  const stored = await readSetting(db, VERSION_KEY);
  const version = Number(stored ?? 0);
  if (!Number.isInteger(version) || version < 0 || version > STEPS.length) {
    throw new OperatorError(texts.versionUnknown({ version: String(stored), known: STEPS.length }));
  }
  return version;
}

/** What an upgrade of a database will change. */
interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  /** what each step from `from` to `to` changes, in their order */
  readonly steps: readonly string[];
}

/**
 * Determines what `migrate` will do to an existing database, without changes.
 * @throws {OperatorError} if the database has a newer version
 */
export async function planMigration(db: Transaction): Promise<MigrationPlan> {
  const from = await readVersion(db);
  return { from, to: STEPS.length, steps: STEPS.slice(from).map(({ does }) => does) };
}

/**
 * For commands that use a database without upgrading it: other versions have other tables.
 * @throws {OperatorError}
 */
export async function assertVersion(db: Transaction): Promise<void> {
  await assertHasTables(db);
  const { from, to } = await planMigration(db);
  if (from === to) return;
  throw new OperatorError(texts.upgradeNeeded({ from, to }));
}

/** Whether the tables have this program's version: another process may have upgraded them since the start. */
export async function isSchemaCurrent(db: Transaction): Promise<boolean> {
  return (await readSetting(db, VERSION_KEY)) === String(STEPS.length);
}
