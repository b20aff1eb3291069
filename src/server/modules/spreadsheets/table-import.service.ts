import type { Database, Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Table } from '#server/database/records/collection.ts';
import { checkChanges, problemInWords } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import type { ImportMode } from '#shared/contract/imports.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, equalityKey, type Scalar } from '#shared/values/values.ts';
import {
  type PlannedRow,
  storePlan,
  type UnfinishedPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { changedMeanwhile, type Writer } from '../records/records.service.ts';
import { findHolders } from '../records/unique.ts';
import type { ImportForm } from './import-form.ts';
import { type ImportRow, importRows, type Layout, readLayout } from './import-rows.ts';
import { type PasteBody, pastedRows } from './paste-rows.ts';

/** Rows whose datasets are read together. */
const ROWS_PER_STEP = 200;

/** What identifies the datasets of rows: the jrid, the position of a unique column, or nothing. */
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
  const plan = planInSteps(database, planner, importRows(table, file, layout));
  return storePlan(database, table, writer, { kind: 'import', edits: [] }, plan);
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
  const plan = planInSteps(database, new Planner(table, 'both', 'jrid', 'paste'), rows);
  return storePlan(database, table, writer, { kind: 'paste', edits: [] }, plan);
}

async function* planInSteps(
  database: Database,
  planner: Planner,
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
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
  const has = (place: number) => layout.fields.some((field) => field.place === place);
  const wrong = (message: string) => new ApiError('validation_failed', { key: [message] });
  if (given === null) {
    if (layout.id !== null) return 'jrid';
    const unique = table.fields.findIndex((column, place) => column.unique && has(place));
    if (unique >= 0) return unique;
    if (mode === 'create') return null;
    throw wrong('The file has neither a jrid nor a unique column by which records are matched.');
  }
  if (given === 'jrid') {
    if (layout.id === null) throw wrong('No column of the file holds the jrid.');
    return given;
  }
  const place = indexOfName(table.fields, given);
  const column = table.fields[place];
  if (!column) throw wrong(`There is no column ${given.toWellFormed().slice(0, 100)}.`);
  if (!column.unique) throw wrong(`The values of ${column.name} need not be unique.`);
  if (!has(place)) throw wrong(`No column of the file stands for ${column.name}.`);
  return place;
}

/** A row with its dataset. */
interface Found {
  readonly row: ImportRow;
  /** an error that is found before its values are read */
  readonly problem: string | null;
  readonly record: StoredRecord | undefined;
  /** the message if the row names a dataset that does not exist */
  readonly missing: string | null;
}

/** Plans the rows of one file or paste, in their order. */
class Planner {
  readonly #table: Table;
  readonly #mode: ImportMode;
  readonly #key: Key;
  /** what the rows come from, in messages */
  readonly #source: 'file' | 'paste';
  /** the values of a new record */
  readonly #nothing: readonly Scalar[];
  /** the datasets that earlier rows name, with their lines */
  readonly #named = new Map<number, number>();
  /** by the position of a unique column: the values of earlier rows, with their lines */
  readonly #given = new Map<number, Map<Scalar, number>>();
  /** by the position of a unique column: datasets whose values are freed */
  readonly #freed = new Map<number, Set<number>>();

  constructor(table: Table, mode: ImportMode, key: Key, source: 'file' | 'paste') {
    this.#table = table;
    this.#mode = mode;
    this.#key = key;
    this.#source = source;
    this.#nothing = table.fields.map(() => null);
  }

  async plan(db: Transaction, rows: readonly ImportRow[]): Promise<PlannedRow[]> {
    const found = await this.#find(db, rows);
    const planned = found.map((one) => this.#planOne(one));
    return this.#refuseTaken(
      db,
      planned.map((plan, i) => ({ plan, line: rows[i]?.line ?? 0, record: found[i]?.record })),
    );
  }

  async #find(db: Transaction, rows: readonly ImportRow[]): Promise<Found[]> {
    const key = this.#key;
    if (key === null) {
      return rows.map((row) => ({ row, problem: null, record: undefined, missing: null }));
    }
    if (key === 'jrid') {
      const ids = rows.flatMap(({ id }) => id ?? []);
      const records = await readRecords(db, this.#table, ids);
      return rows.map((row) => {
        const record = row.id === null ? undefined : records.get(row.id);
        const problem = row.named && row.id === null ? 'The jrid is no whole number.' : null;
        const missing = record || row.id === null ? null : `There is no record ${row.id}.`;
        return { row, problem, record, missing };
      });
    }
    const column = this.#table.fields[key];
    if (!column) throw new Error('The key is no column');
    const values = rows.map((row) => row.read(this.#nothing).values.get(key) ?? null);
    const wanted = values.filter((value) => value !== null);
    const holders = await findHolders(db, this.#table, key, wanted);
    const records = await readRecords(db, this.#table, [...holders.values()]);
    return rows.map((row, i) => {
      const value = values[i] ?? null;
      const id = value === null ? undefined : holders.get(equalityKey(column.type, value));
      const record = id === undefined ? undefined : records.get(id);
      const unknown = `There is no record whose ${column.label} is “${String(value)}”.`;
      const missing = this.#mode === 'change' && value !== null && !record ? unknown : null;
      return { row, problem: null, record, missing };
    });
  }

  #planOne({ row, problem, record, missing }: Found): PlannedRow {
    const { line } = row;
    const none = { rowId: -line, version: 0, changes: [] };
    if (problem !== null)
      return { ...none, outcome: 'invalid', message: `Row ${line}: ${problem}` };
    if (missing !== null) {
      const rowId = this.#key === 'jrid' && row.id !== null ? row.id : -line;
      return { ...none, rowId, outcome: 'missing', message: `Row ${line}: ${missing}` };
    }
    if (!record) {
      if (this.#mode !== 'change') return this.#planNew(row);
      const message = `Row ${line}: nothing in it tells which record it is about.`;
      return { ...none, outcome: 'invalid', message };
    }
    const { id, version } = record;
    const known = { rowId: id, version, changes: [] };
    const before = this.#named.get(id);
    if (before !== undefined) {
      const message = `The record occurs in the ${this.#source} twice: in row ${before} and in row ${line}.`;
      return { ...known, outcome: 'invalid', message };
    }
    this.#named.set(id, line);
    if (this.#mode === 'create') {
      const message = `Row ${line}: record ${id} exists already, and this import only creates.`;
      return { ...known, outcome: 'invalid', message };
    }
    return this.#planChange(row, record);
  }

  #planChange(row: ImportRow, record: StoredRecord): PlannedRow {
    const { id: rowId, version } = record;
    const { values, problems } = row.read(record.values);
    const after = record.values.map((value, place) =>
      values.has(place) ? (values.get(place) ?? null) : value,
    );
    const { changes, message } = checkChanges(this.#table.fields, record.values, after);
    const errors = [...problems, ...(message === null ? [] : [message])].join(' ');
    if (errors !== '') {
      return { rowId, version, outcome: 'invalid', changes, message: `Row ${row.line}: ${errors}` };
    }
    if (changes.length === 0)
      return { rowId, version, outcome: 'unchanged', changes, message: null };
    if (row.ifMatch !== null && !matchesVersion(row.ifMatch, version)) {
      const changed = changedMeanwhile('record', record).message;
      return { rowId, version, outcome: 'conflict', changes, message: changed };
    }
    return { rowId, version, outcome: 'changed', changes, message: null };
  }

  /** A column for which the row gives no value, not even an empty one, gets its default. */
  #planNew(row: ImportRow): PlannedRow {
    const { values, problems } = row.read(this.#nothing);
    const errors = [...problems];
    const changes = this.#table.fields.flatMap((column, place) => {
      const value = row.gives(place) ? (values.get(place) ?? null) : column.default;
      const checked = checkRules(column, value);
      // Unreadable cells are reported already.
      if (!checked.ok && (problems.length === 0 || value !== null))
        errors.push(problemInWords(column, value, checked.message));
      const after = checked.ok ? checked.value : value;
      return after === null ? [] : [{ name: column.name, before: null, after }];
    });
    const message = errors.length > 0 ? `Row ${row.line}: ${errors.join(' ')}` : null;
    const outcome = message === null ? 'new' : 'invalid';
    return { rowId: -row.line, version: 0, outcome, changes, message };
  }

  /** Refuses values of unique columns that another dataset or row has. */
  async #refuseTaken(
    db: Transaction,
    rows: readonly {
      readonly plan: PlannedRow;
      readonly line: number;
      readonly record: StoredRecord | undefined;
    }[],
  ): Promise<PlannedRow[]> {
    const planned = rows.map(({ plan }) => plan);
    for (const [place, column] of this.#table.fields.entries()) {
      if (!column.unique) continue;
      const valueIn = ({ outcome, changes }: PlannedRow) =>
        outcome === 'changed' || outcome === 'new'
          ? (changes.find(({ name }) => name === column.name)?.after ?? null)
          : null;
      const values = planned.map(valueIn).filter((value) => value !== null);
      const holders = await findHolders(db, this.#table, place, values);
      const given = this.#given.get(place) ?? new Map<Scalar, number>();
      const freed = this.#freed.get(place) ?? new Set<number>();
      this.#given.set(place, given);
      this.#freed.set(place, freed);
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
              ? `Row ${earlier} of the ${this.#source} has this value already; no two records have the same.`
              : holder !== undefined && holder !== plan.rowId && !freed.has(holder)
                ? `The value is already in record ${holder}; no two records have the same.`
                : null;
          if (taken !== null) {
            const message = `Row ${line}: ${problemInWords(column, value, taken)}`;
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
