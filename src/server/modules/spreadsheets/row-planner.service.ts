import * as texts from '#messages/service/spreadsheets.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import { rowProblem } from '#messages/service/bulk-edit-records.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { defaultOf, isWritable } from '#server/database/records/collection-view.ts';
import { checkChanges, problemInWords } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import type { ImportMode } from '#shared/contract/imports.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, equalityKey, type Scalar } from '#shared/values/values.ts';
import {
  checkRows,
  type PlannedRow,
  storePlan,
  type UnfinishedPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import { indexOfName, keywordFieldName } from '#shared/rules/names.ts';
import { readOnlyProblems } from '../records/read-only.ts';
import { changedMeanwhile, type Writer } from '../records/records.service.ts';
import { findRecordsWithValues } from '../records/unique.ts';
import type { ImportForm } from './import-form.ts';
import {
  type CurrentValues,
  type ImportRow,
  importRows,
  type Layout,
  readLayout,
  withoutAliases,
} from './import-rows.ts';
import { readAliases } from '../value-aliases/value-aliases.ts';
import { type PasteBody, pastedRows } from './paste-rows.ts';

/** Rows whose records are read together. */
const ROWS_PER_STEP = 200;

/** What identifies the records of rows: the jrid, the position of a unique column, or nothing. */
type Key = 'jrid' | number | null;

/**
 * Plans the import of a spreadsheet into a data table, outside a transaction; `finish` in a transaction makes the plan
 * visible.
 * @throws {ApiError} 422 under `files.0`, `columns.N` or `key`
 */
export async function planDatasets(
  database: Database,
  table: Table,
  writer: Writer,
  { file, columns, mode, key }: ImportForm,
): Promise<UnfinishedPlan> {
  const layout = await readLayout(table, file, columns);
  const planner = new Planner(table, mode, keyOf(table, layout, mode, key), 'file');
  const plan = await planInSteps(database, planner, table, importRows(table, file, layout));
  return storePlan(database, table, writer, { kind: 'import', edits: [] }, plan);
}

/**
 * Plans the creation of revisions from a spreadsheet, outside a transaction: each row becomes a document without files.
 * @throws {ApiError} 422 under `files.0` or `columns.N`
 */
export async function planNewRevisions(
  database: Database,
  archive: Archive,
  writer: Writer,
  { file, columns }: Pick<ImportForm, 'file' | 'columns'>,
): Promise<UnfinishedPlan> {
  const layout = await readLayout(archive, file, columns);
  const planner = new Planner(archive, 'create', null, 'file');
  const plan = await planInSteps(database, planner, archive, importRows(archive, file, layout));
  return storePlan(database, archive, writer, { kind: 'import', edits: [] }, plan);
}

/**
 * Plans a paste into a data table, outside a transaction, as the import of rows that are known by their jrid.
 * @throws {ApiError} 422 under `columns.N` or `datasets.N`
 */
export async function planPaste(
  database: Database,
  table: Table,
  writer: Writer,
  body: PasteBody,
): Promise<UnfinishedPlan> {
  const rows = pastedRows(table, body);
  const planner = new Planner(table, 'both', 'jrid', 'paste');
  const plan = await planInSteps(database, planner, table, rows);
  return storePlan(database, table, writer, { kind: 'paste', edits: [] }, plan);
}

async function planInSteps(
  database: Database,
  planner: Planner,
  collection: Collection,
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
): Promise<AsyncGenerator<readonly PlannedRow[]>> {
  const aliases = await database.read((db) => readAliases(db, collection));
  return planEach(database, planner, withoutAliases(collection, aliases, rows));
}

async function* planEach(
  database: Database,
  planner: Planner,
  rows: AsyncIterable<ImportRow>,
): AsyncGenerator<readonly PlannedRow[]> {
  let step: ImportRow[] = [];
  const plan = () => {
    const planned = step;
    step = [];
    return database.read((db) => planner.plan(db, planned));
  };
  for await (const row of rows) {
    step.push(row);
    if (step.length === ROWS_PER_STEP) yield await plan();
  }
  yield await plan();
}

function keyOf(table: Table, layout: Layout, mode: ImportMode, given: string | null): Key {
  const has = (fieldIndex: number) =>
    layout.fields.some((field) => field.fieldIndex === fieldIndex);
  const wrong = (message: Message) => new ApiError('validation_failed', { key: [message] });
  if (given === null) {
    if (layout.id !== null) return 'jrid';
    const unique = table.fields.findIndex((column, fieldIndex) => column.unique && has(fieldIndex));
    if (unique >= 0) return unique;
    if (mode === 'create') return null;
    throw wrong(texts.noKey);
  }
  if (given === 'jrid') {
    if (layout.id === null) throw wrong(texts.noJridColumn);
    return given;
  }
  const fieldIndex = indexOfName(table.fields, given);
  const column = table.fields[fieldIndex];
  if (!column) throw wrong(texts.noColumn({ name: given.toWellFormed().slice(0, 100) }));
  if (!column.unique) throw wrong(texts.keyNotUnique({ name: column.name }));
  if (!has(fieldIndex)) throw wrong(texts.keyNotMapped({ name: column.name }));
  return fieldIndex;
}

/** A row with its record. */
interface Found {
  readonly row: ImportRow;
  /** an error that is found before its values are read */
  readonly problem: string | null;
  readonly record: StoredRecord | undefined;
  /** the message if the row names a record that does not exist */
  readonly missing: string | null;
}

/** A planned row with its record. */
interface PlannedLine {
  readonly plan: PlannedRow;
  readonly line: number;
  readonly record: StoredRecord | undefined;
}

/** Plans the rows of one file or paste, in their order. */
class Planner {
  readonly #collection: Collection;
  readonly #mode: ImportMode;
  readonly #key: Key;
  /** the source of the rows, for messages */
  readonly #source: 'file' | 'paste';
  /** the initial values of a new record */
  readonly #nothing: CurrentValues;
  /** the records that earlier rows name, with their lines */
  readonly #named = new Map<number, number>();
  /** by the position of a unique column: the values of earlier rows, with their lines */
  readonly #given = new Map<number, Map<Scalar, number>>();
  /** by the position of a unique column: records whose values are freed */
  readonly #freed = new Map<number, Set<number>>();

  constructor(collection: Collection, mode: ImportMode, key: Key, source: 'file' | 'paste') {
    this.#collection = collection;
    this.#mode = mode;
    this.#key = key;
    this.#source = source;
    this.#nothing = {
      values: collection.fields.map(() => null),
      keywords: collection.keywordFields.map(() => []),
    };
  }

  async plan(db: Transaction, rows: readonly ImportRow[]): Promise<PlannedRow[]> {
    const found = await this.#find(db, rows);
    const lines: readonly PlannedLine[] = found.map((one, i) => ({
      plan: this.#planOne(one),
      line: rows[i]?.line ?? 0,
      record: one.record,
    }));
    const checked = await checkRows(
      db,
      this.#collection,
      lines,
      ({ line }, { field, value, problem }) =>
        rowProblem({ line, problem: problemInWords(field, value, problem) }),
    );
    const planned = await this.#refuseTaken(db, checked);
    return planned.map((plan, i) => {
      const row = rows[i];
      if (!row?.cells || (plan.outcome !== 'invalid' && plan.outcome !== 'missing')) return plan;
      return { ...plan, refused: { line: row.line, cells: row.cells() } };
    });
  }

  async #find(db: Transaction, rows: readonly ImportRow[]): Promise<Found[]> {
    const key = this.#key;
    if (key === null) {
      return rows.map((row) => ({ row, problem: null, record: undefined, missing: null }));
    }
    if (key === 'jrid') {
      const ids = rows.flatMap(({ id }) => id ?? []);
      const records = await readRecords(db, this.#collection, ids);
      return rows.map((row) => {
        const record = row.id === null ? undefined : records.get(row.id);
        const problem = row.named && row.id === null ? rowTexts.jridInvalid : null;
        const missing = record || row.id === null ? null : rowTexts.noRecord(row.id);
        return { row, problem, record, missing };
      });
    }
    const column = this.#collection.fields[key];
    if (!column) throw new Error('The key is no column');
    const values = rows.map((row) => row.read(this.#nothing).values.get(key) ?? null);
    const wanted = values.filter((value) => value !== null);
    const holders = await findRecordsWithValues(db, this.#collection, key, wanted);
    const records = await readRecords(db, this.#collection, [...holders.values()]);
    return rows.map((row, i) => {
      const value = values[i] ?? null;
      const id = value === null ? undefined : holders.get(equalityKey(column.type, value));
      const record = id === undefined ? undefined : records.get(id);
      const unknown = rowTexts.noRecordWith({ label: column.label, value: String(value) });
      const missing = this.#mode === 'change' && value !== null && !record ? unknown : null;
      return { row, problem: null, record, missing };
    });
  }

  #planOne({ row, problem, record, missing }: Found): PlannedRow {
    const { line } = row;
    const none = { rowId: -line, version: 0, changes: [] };
    if (problem !== null) {
      return { ...none, outcome: 'invalid', message: rowProblem({ line, problem }) };
    }
    if (missing !== null) {
      const rowId = this.#key === 'jrid' && row.id !== null ? row.id : -line;
      return {
        ...none,
        rowId,
        outcome: 'missing',
        message: rowProblem({ line, problem: missing }),
      };
    }
    if (!record) {
      if (this.#mode !== 'change') return this.#planNew(row);
      return { ...none, outcome: 'invalid', message: rowTexts.namesNoRecord(line) };
    }
    const { id, version } = record;
    const known = { rowId: id, version, changes: [] };
    const before = this.#named.get(id);
    if (before !== undefined) {
      const message = rowTexts.recordTwice[this.#source]({ first: before, line });
      return { ...known, outcome: 'invalid', message };
    }
    this.#named.set(id, line);
    if (this.#mode === 'create') {
      return { ...known, outcome: 'invalid', message: rowTexts.recordExists({ line, id }) };
    }
    return this.#planChange(row, record);
  }

  #planChange(row: ImportRow, record: StoredRecord): PlannedRow {
    const { id: rowId, version } = record;
    const { values, problems, notes } = row.read(record);
    const after = record.values.map((value, fieldIndex) =>
      values.has(fieldIndex) ? (values.get(fieldIndex) ?? null) : value,
    );
    const { changes, message } = checkChanges(this.#collection.fields, record.values, after);
    const refused = readOnlyProblems(this.#collection, changes);
    const errors = [...problems, ...refused, ...(message === null ? [] : [message])].join(' ');
    if (errors !== '') {
      const problem = rowProblem({ line: row.line, problem: errors });
      return { rowId, version, outcome: 'invalid', changes, message: problem };
    }
    if (changes.length === 0)
      return { rowId, version, outcome: 'unchanged', changes, message: null };
    if (row.ifMatch !== null && !matchesVersion(row.ifMatch, version)) {
      const changed = changedMeanwhile('record', record).message;
      return { rowId, version, outcome: 'conflict', changes, message: changed };
    }
    return { rowId, version, outcome: 'changed', changes, message: noteOf(row.line, notes) };
  }

  /** A column for which the row gives no value, not even an empty one, gets its default. */
  #planNew(row: ImportRow): PlannedRow {
    const { values, keywords, problems, notes } = row.read(this.#nothing);
    const errors = [...problems];
    const keywordChanges = [...keywords].flatMap(([fieldIndex, after]) => {
      const name = this.#collection.keywordFields[fieldIndex]?.name;
      return name === undefined ? [] : [{ name: keywordFieldName(name), before: [], after }];
    });
    errors.push(...readOnlyProblems(this.#collection, keywordChanges));
    const changes = this.#collection.fields.flatMap((column, fieldIndex) => {
      const value = row.gives(fieldIndex) ? (values.get(fieldIndex) ?? null) : defaultOf(column);
      if (!isWritable(this.#collection, column)) {
        if (value !== defaultOf(column))
          errors.push(...readOnlyProblems(this.#collection, [column]));
        return [];
      }
      const checked = checkRules(column, value);
      // Unreadable cells are reported already.
      if (!checked.ok && (problems.length === 0 || value !== null))
        errors.push(problemInWords(column, value, checked.message));
      const after = checked.ok ? checked.value : value;
      return after === null ? [] : [{ name: column.name, before: null, after }];
    });
    const { line } = row;
    const isRefused = errors.length > 0;
    const message = isRefused
      ? rowProblem({ line, problem: errors.join(' ') })
      : noteOf(line, notes);
    const outcome = isRefused ? 'invalid' : 'new';
    return { rowId: -row.line, version: 0, outcome, changes, keywordChanges, message };
  }

  /** Refuses values of unique columns that another record or row has. */
  async #refuseTaken(db: Transaction, rows: readonly PlannedLine[]): Promise<PlannedRow[]> {
    const planned = rows.map(({ plan }) => plan);
    for (const [fieldIndex, column] of this.#collection.fields.entries()) {
      if (!isUnique(column)) continue;
      const valueIn = ({ outcome, changes }: PlannedRow) =>
        outcome === 'changed' || outcome === 'new'
          ? (changes.find(({ name }) => name === column.name)?.after ?? null)
          : null;
      const values = planned.map(valueIn).filter((value) => value !== null);
      const holders = await findRecordsWithValues(db, this.#collection, fieldIndex, values);
      const given = this.#given.get(fieldIndex) ?? new Map<Scalar, number>();
      const freed = this.#freed.get(fieldIndex) ?? new Set<number>();
      this.#given.set(fieldIndex, given);
      this.#freed.set(fieldIndex, freed);
      for (const [i, { line, record }] of rows.entries()) {
        const plan = planned[i];
        const value = plan ? valueIn(plan) : null;
        if (!plan) continue;
        if (value !== null) {
          const same = equalityKey(column.type, value);
          const holder = holders.get(same);
          const earlier = given.get(same);
          const taken =
            earlier !== undefined
              ? rowTexts.takenByRow[this.#source](earlier)
              : holder !== undefined && holder !== plan.rowId && !freed.has(holder)
                ? rowTexts.takenByRecord(holder)
                : null;
          if (taken !== null) {
            const problem = problemInWords(column, value, taken);
            const message = rowProblem({ line, problem });
            planned[i] = { ...plan, outcome: 'invalid', message };
            continue;
          }
          given.set(same, line);
        }
        const changes = plan.outcome === 'changed' && plan.changes;
        if (record && changes && changes.some(({ name }) => name === column.name))
          freed.add(record.id);
      }
    }
    return planned;
  }
}

/** The note of a planned row about corrected values. */
function noteOf(line: number, notes: readonly string[] = []): string | null {
  return notes.length === 0 ? null : rowProblem({ line, problem: notes.join(' ') });
}

type Field = Collection['fields'][number];

/** Index fields need not be unique. */
function isUnique(field: Field): boolean {
  return 'unique' in field && field.unique;
}
