import { sql, type Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { insertRows, updateRows } from '#server/database/records/bulk-statements.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { SystemSchema } from '#server/database/schema.ts';
import type { Outcome, RowCell } from '#shared/contract/bulk-edit-answers.ts';
import type { FieldChange } from '#shared/rules/bulk-edits.ts';
import type { FindingsChange } from '../records/findings-change.ts';

/** The plan or the result of one record. */
export interface PlannedRow {
  /** the revisionId or jrid; for a new record its line in the file, negative */
  readonly rowId: number;
  readonly version: number;
  readonly outcome: Outcome;
  readonly changes: readonly FieldChange[];
  /** of keyword fields */
  readonly keywordChanges: readonly KeywordsChange[];
  /** the row that an import rejects; null: another row, or one with a cell that is too long to be stored */
  readonly refused: RefusedRow | null;
  readonly message: string | null;
  /** of a row that is rejected; stored with the cells of `refused` */
  readonly fieldMessages?: FieldMessages;
  /** counted with the plan, not stored with the row */
  readonly findings?: FindingsChange;
}

/** What is wrong with fields of a row, by their names; of keyword fields `keyword.NAME`. */
export type FieldMessages = ReadonlyMap<string, string>;

/** Of a row that changes nothing. */
export const NO_CHANGES = { changes: [], keywordChanges: [], refused: null } as const;

/** A planned row that replaces one of the same record, which is stored already. */
export interface ReplacingRow extends PlannedRow {
  readonly replaces: {
    readonly position: number;
    readonly outcome: Outcome;
    readonly findings: FindingsChange | undefined;
    readonly characters: number;
  };
}

/** A row of a file as it was when an import rejected it. */
export interface RefusedRow {
  /** from 1; null: of a known record, stored by an older version of Indexdesk */
  readonly line: number | null;
  /** empty if one is too long to be stored */
  readonly cells: readonly RefusedCell[];
}

/** A cell with the field that its column was mapped to. */
export interface RefusedCell extends RowCell {
  /** the name, of a keyword field `keyword.NAME`; null: none, or stored by an older version of Indexdesk */
  readonly field: string | null;
}

/** The change of a keyword field. */
export interface KeywordsChange {
  /** as the history names it: `keyword.NAME` */
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface StoredRow extends PlannedRow {
  readonly position: number;
}

const PLANNED_COLUMNS = ['version', 'outcome', 'changes', 'message'];
const ROW_COLUMNS = ['bulk_edit_id', 'position', 'row_id', ...PLANNED_COLUMNS];

/** @param position of the first of them */
export async function insertPlannedRows(
  db: Transaction,
  id: number,
  position: number,
  rows: readonly PlannedRow[],
): Promise<void> {
  await insertRows(
    db,
    'bulk_edit_revisions',
    ROW_COLUMNS,
    rows.map((row, i) => [id, position + i, row.rowId, ...plannedColumns(row)]),
  );
}

/**
 * Replaces rows of a plan that are stored already.
 * @throws {Error} if there is a row of another record at the position of one
 */
export async function replacePlannedRows(
  db: Transaction,
  id: number,
  replacing: readonly ReplacingRow[],
): Promise<void> {
  if (replacing.length === 0) return;
  const { rows } = await sql<{ position: number; rowId: number }>`
    select position, row_id as "rowId" from bulk_edit_revisions where bulk_edit_id = ${id}
      and position ${db.adapter.isAmong(replacing.map(({ replaces }) => replaces.position))}`.execute(
    db.k,
  );
  const stored = new Map(rows.map(({ position, rowId }) => [position, rowId]));
  for (const { rowId, replaces } of replacing) {
    if (stored.get(replaces.position) !== rowId)
      throw new Error(`Position ${replaces.position} of the plan is not that of ${rowId}`);
  }
  await updateRows(
    db,
    'bulk_edit_revisions',
    ['bulk_edit_id', 'position'],
    PLANNED_COLUMNS,
    replacing.map((row) => [id, row.replaces.position, ...plannedColumns(row)]),
  );
}

/** In the order of `PLANNED_COLUMNS`. */
function plannedColumns({
  version,
  outcome,
  changes,
  keywordChanges,
  refused,
  message,
}: PlannedRow) {
  const parts = [...changes, ...keywordChanges, ...(refused ? [refused] : [])];
  return [version, outcome, JSON.stringify(parts), message];
}

/** Some rows of a plan. */
interface PlanSlice {
  readonly rows: readonly StoredRow[];
  /** whether it ends early because of large texts */
  readonly isTruncated: boolean;
}

/** A part of the rows of a plan. */
export interface RowsWanted {
  /** null: of any outcome */
  readonly outcome: Outcome | null;
  /** only rows after this position */
  readonly after: number;
  /** by position */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** approximate maximum of the changes of all rows; a single row may exceed it */
  readonly bytes: number;
}

/** Reads rows of a plan. */
export async function readPlannedRows(
  db: Transaction,
  id: number,
  { outcome, after, order, limit, bytes }: RowsWanted,
): Promise<PlanSlice> {
  // SQLite would use the primary key, and read all other outcomes.
  const indexed = outcome === null ? sql`` : db.adapter.useIndex('bulk_edit_revisions_outcome');
  const wanted = outcome === null ? sql`` : sql`and outcome = ${outcome}`;
  const from = sql`from bulk_edit_revisions ${indexed}
    where bulk_edit_id = ${id} and position > ${after} ${wanted}
    order by position ${sql.raw(order)}`;
  const { rows: sizes } = await sql<{ size: number }>`
    select octet_length(changes) as size ${from} limit ${limit}`.execute(db.k);
  const count = fitting(sizes, bytes);
  const { rows: found } = await sql<PlanRow>`
    select position, row_id, version, outcome, changes, message ${from} limit ${count}`.execute(
    db.k,
  );
  const rows = found.map(({ row_id: rowId, changes, ...row }) => ({
    ...row,
    rowId,
    ...readChanges(rowId, changes),
  }));
  return { rows, isTruncated: count < sizes.length };
}

/** The number of first rows that fit, at least one. */
function fitting(sizes: readonly { readonly size: number }[], bytes: number): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ size }, i) => (sum += size) > bytes && i > 0);
  return tooMany < 0 ? sizes.length : tooMany;
}

type PlanRow = Omit<Selectable<SystemSchema['bulk_edit_revisions']>, 'bulk_edit_id'>;

/** A refused row of an import with its cells, which have the headers of all its refused rows; null: there is none. */
export async function readRefusedRow(db: Transaction, id: number): Promise<RefusedRow | null> {
  const row = await db.k
    .selectFrom('bulk_edit_revisions')
    .select(['row_id', 'changes'])
    .where('bulk_edit_id', '=', id)
    .where('changes', 'like', '%"cells":[{%')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row ? readChanges(row.row_id, row.changes).refused : null;
}

/** The number of rows with an outcome; null: all. */
export async function countPlannedRows(
  db: Transaction,
  id: number,
  outcome: Outcome | null,
): Promise<number> {
  let query = db.k
    .selectFrom('bulk_edit_revisions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('bulk_edit_id', '=', id);
  if (outcome) query = query.where('outcome', '=', outcome);
  return (await query.executeTakeFirst())?.count ?? 0;
}

/** The elements of the column `changes`. */
type StoredPart = FieldChange | KeywordsChange | StoredRefusedRow;

/** Older versions of Indexdesk stored no `line`, no `field` and no `message`. */
interface StoredRefusedRow {
  readonly line?: number;
  readonly cells: readonly (RowCell & Partial<RefusedCell>)[];
}

function readChanges(
  rowId: number,
  json: string,
): Pick<PlannedRow, 'changes' | 'keywordChanges' | 'refused'> {
  const all: StoredPart[] = JSON.parse(json);
  const refused = all.find((part) => 'cells' in part);
  return {
    changes: all.filter(ofField),
    keywordChanges: all.filter(ofKeywords),
    refused: refused
      ? {
          line: refused.line ?? (rowId < 0 ? -rowId : null),
          cells: refused.cells.map(toRefusedCell),
        }
      : null,
  };
}

function toRefusedCell({ field = null, ...cell }: StoredRefusedRow['cells'][number]): RefusedCell {
  return { ...cell, field };
}

function ofKeywords(part: StoredPart): part is KeywordsChange {
  return 'before' in part && Array.isArray(part.before);
}

function ofField(part: StoredPart): part is FieldChange {
  return 'before' in part && !Array.isArray(part.before);
}

/** Sets the outcome of rows of the plan. */
export async function updateOutcome(
  db: Transaction,
  id: number,
  positions: readonly number[],
  outcome: Outcome,
  message: string | null = null,
): Promise<void> {
  if (positions.length === 0) return;
  await sql`update bulk_edit_revisions set outcome = ${outcome}, message = ${message}
    where bulk_edit_id = ${id} and position ${db.adapter.isAmong(positions)}`.execute(db.k);
}

/** Stores the ids of created records. */
export async function updateCreated(
  db: Transaction,
  id: number,
  created: readonly { readonly position: number; readonly rowId: number }[],
): Promise<void> {
  await updateRows(
    db,
    'bulk_edit_revisions',
    ['bulk_edit_id', 'position'],
    ['outcome', 'row_id'],
    created.map(({ position, rowId }) => [id, position, 'created', rowId]),
  );
}

/** The number of records in a range of a plan that were changed since. */
export async function countChangedMeanwhile(
  db: Transaction,
  collection: Collection,
  id: number,
  from: number,
  count: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from bulk_edit_revisions as planned
    left join ${sql.table(tableName(collection))} as record on record._id = planned.row_id
    where planned.bulk_edit_id = ${id} and planned.position >= ${from}
      and planned.position < ${from + count} and planned.outcome = 'changed'
      and (record._id is null or record._version <> planned.version)`.execute(db.k);
  return rows[0]?.count ?? 0;
}
