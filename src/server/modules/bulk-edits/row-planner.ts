import * as rowTexts from '#messages/service/import-rows.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { checkChanges, fieldProblem } from '#shared/rules/bulk-edits.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, equalityKey } from '#shared/values/value-rules.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import { sameList } from '../history/history.service.ts';
import { WrittenLookupValues, hasSelfLookups } from '../records/blocking-checks.ts';
import { readOnlyProblems } from './read-only-problems.ts';
import {
  changedMeanwhile,
  lockedMessage,
  lockOfAnother,
  type Writer,
} from '../records/records.service.ts';
import { findRecordsWithValues } from '../records/unique-columns.ts';
import {
  NO_CHANGES,
  type KeywordsChange,
  type PlannedRow,
  type ReplacingRow,
} from './planned-rows.store.ts';
import { checkRows, isWritten, valuesAfter } from './checked-rows.ts';
import { characterCount, charactersOf } from './character-count.ts';
import { rowTextsOf } from './row-texts.ts';
import { type PlannedLine, PlannedUniqueValues } from './planned-unique-values.ts';
import {
  type CurrentValues,
  messagesByField,
  type RowProblem,
  type RowReading,
  type RowsToPlan,
  type RowToPlan,
} from './rows-to-plan.ts';

/** A row with its record. */
interface Found {
  readonly row: RowToPlan;
  /** an error that is found before its values are read */
  readonly problem: string | null;
  readonly record: StoredRecord | undefined;
  /** the message if the row names a record that does not exist */
  readonly missing: string | null;
}

/** Rows that were planned together. */
export interface PlannedBatch<Row extends PlannedRow = PlannedRow> {
  readonly planned: Row[];
  /** of their records and changes */
  readonly characters: number;
}

/** A planned row that a later row of the file may turn into a refused one. */
interface FirstRow {
  readonly line: number;
  readonly replaces: ReplacingRow['replaces'];
}

/**
 * Plans the rows of one source, in their order. Where several rows of a file name one revision, its plan is the refused
 * first row; of several rows that name one dataset, the later ones are refused. Its state changes outside of reads, because
 * these may run several times.
 */
export class RowPlanner {
  readonly #collection: Collection;
  readonly #writer: Writer;
  readonly #source: RowsToPlan;
  readonly #texts: ReturnType<typeof rowTextsOf>;
  /** whether rows are planned as the changes of revisions, each of which the plan has once */
  readonly #isByRevision: boolean;
  /** the initial values of a new record */
  readonly #nothing: CurrentValues;
  /** the records that earlier rows name, with their lines */
  readonly #named = new Map<number, number>();
  readonly #unique: PlannedUniqueValues;
  /** of earlier rows */
  readonly #lookedUp: WrittenLookupValues;
  /** the number of planned rows, and so the position of the next one in the stored plan */
  #count = 0;
  /** by revision */
  readonly #firstRows = new Map<number, FirstRow>();
  /** revisions that several rows name, with the line of the second one */
  readonly #repeated = new Map<number, number>();
  /** first rows that were planned before their revision was named again, by revision */
  readonly #toReplace = new Map<number, FirstRow>();

  constructor(collection: Collection, writer: Writer, source: RowsToPlan) {
    this.#collection = collection;
    this.#writer = writer;
    this.#source = source;
    this.#lookedUp = new WrittenLookupValues(collection);
    this.#texts = rowTextsOf(collection, source);
    this.#unique = new PlannedUniqueValues(collection, this.#texts);
    this.#isByRevision = collection.kind === 'archive' && source.key === 'id';
    this.#nothing = {
      values: collection.fields.map(() => null),
      keywords: collection.keywordFields.map(() => []),
    };
  }

  /** Plans the next rows, outside a transaction. */
  async plan(database: Database, rows: readonly RowToPlan[]): Promise<PlannedBatch> {
    if (!this.#isByRevision) return this.#plan(database, rows);
    const firstRows = rows.filter((row) => !this.#isRepetition(row));
    const batch = await this.#plan(database, firstRows);
    for (const row of batch.planned) {
      const { rowId, outcome, findings } = row;
      const characters = characterCount(row);
      const replaces = { position: this.#count, outcome, findings, characters };
      this.#firstRows.set(rowId, { line: this.#named.get(rowId) ?? 0, replaces });
      this.#count += 1;
    }
    return batch;
  }

  /** How many rows that are planned already have to be planned again, when the last row is planned. */
  get replacedCount(): number {
    return this.#toReplace.size;
  }

  /** Whether a row is among those that have to be planned again. */
  isReplaced({ id, line }: RowToPlan): boolean {
    return id !== null && this.#toReplace.get(id)?.line === line;
  }

  /** Plans the rows of `isReplaced` again, as refused ones. */
  async planRefused(
    database: Database,
    rows: readonly RowToPlan[],
  ): Promise<PlannedBatch<ReplacingRow>> {
    const { planned, characters } = await this.#plan(database, rows);
    const replacing = planned.flatMap((row) => {
      const first = this.#toReplace.get(row.rowId);
      return first ? [{ ...row, replaces: first.replaces }] : [];
    });
    return { planned: replacing, characters };
  }

  /** Whether an earlier row names the revision of a row. */
  #isRepetition({ id, line }: RowToPlan): boolean {
    if (id === null) return false;
    if (!this.#named.has(id)) {
      this.#named.set(id, line);
      return false;
    }
    if (!this.#repeated.has(id)) {
      this.#repeated.set(id, line);
      const first = this.#firstRows.get(id);
      if (first) this.#toReplace.set(id, first);
    }
    return true;
  }

  async #plan(database: Database, rows: readonly RowToPlan[]): Promise<PlannedBatch> {
    let lines: PlannedLine[] = [];
    for (const found of await this.#find(database, rows)) {
      lines.push({ plan: this.#planOne(found), row: found.row, record: found.record });
      await yieldToEventLoop();
    }
    for (let isChecked = false; !isChecked;) {
      const current = lines;
      const { checked, holders } = await database.read(async (db) => ({
        checked: await this.#check(db, current),
        holders: await this.#unique.findHolders(db, current),
      }));
      lines = this.#unique.refuseTaken(checked, holders);
      // A row may look up what only a refused one has.
      isChecked =
        !hasSelfLookups(this.#collection) ||
        lines.every(({ plan }, i) => plan.outcome === checked[i]?.plan.outcome);
    }
    this.#remember(lines);
    const planned = lines.map(({ plan }, i) => {
      if (plan.outcome !== 'invalid' && plan.outcome !== 'missing') return plan;
      return { ...plan, refused: rows[i]?.refused(plan.fieldMessages ?? new Map()) ?? null };
    });
    let characters = charactersOf(lines.flatMap(({ record }) => record ?? []));
    for (const row of planned) characters += characterCount(row);
    return { planned, characters };
  }

  async #find(database: Database, rows: readonly RowToPlan[]): Promise<Found[]> {
    const { key, mode } = this.#source;
    if (key === null) {
      return rows.map((row) => ({ row, problem: null, record: undefined, missing: null }));
    }
    if (key === 'id') {
      const ids = rows.flatMap(({ id }) => id ?? []);
      const records = await database.read((db) => readRecords(db, this.#collection, ids));
      return rows.map((row) => {
        const record = row.id === null ? undefined : records.get(row.id);
        const problem = row.named && row.id === null ? rowTexts.jridInvalid : null;
        const missing = record || row.id === null ? null : this.#texts.missing(row.line, row.id);
        return { row, problem, record, missing };
      });
    }
    const column = this.#collection.fields[key];
    if (!column) throw new Error('The key is no column');
    const values = rows.map((row) => row.read(this.#nothing).values.get(key) ?? null);
    const wanted = values.filter((value) => value !== null);
    const { holders, records } = await database.read(async (db) => {
      const ids = await findRecordsWithValues(db, this.#collection, key, wanted);
      return { holders: ids, records: await readRecords(db, this.#collection, [...ids.values()]) };
    });
    return rows.map((row, i) => {
      const value = values[i] ?? null;
      const id = value === null ? undefined : holders.get(equalityKey(column.type, value));
      const record = id === undefined ? undefined : records.get(id);
      const unknown = rowTexts.noRecordWith({ label: column.label, value: String(value) });
      const isMissing = mode === 'change' && value !== null && !record;
      const missing = isMissing ? this.#texts.problem(row.line, unknown) : null;
      return { row, problem: null, record, missing };
    });
  }

  #planOne({ row, problem, record, missing }: Found): PlannedRow {
    const { line } = row;
    const { key, mode } = this.#source;
    const none = { ...NO_CHANGES, rowId: -line, version: 0 };
    if (problem !== null) {
      return { ...none, outcome: 'invalid', message: this.#texts.problem(line, problem) };
    }
    if (missing !== null) {
      const rowId = key === 'id' && row.id !== null ? row.id : -line;
      return { ...none, rowId, outcome: 'missing', ...this.#ofKey(missing) };
    }
    if (!record) {
      if (mode !== 'change') return this.#planNew(row);
      const { problems } = row.read(this.#nothing);
      const refusal =
        problems.length > 0
          ? this.#refusal(line, problems)
          : this.#ofKey(rowTexts.namesNoRecord(line));
      return { ...none, outcome: 'invalid', ...refusal };
    }
    if (this.#isByRevision) return this.#planChange(row, record);
    const { id, version } = record;
    const known = { ...NO_CHANGES, rowId: id, version };
    const first = this.#named.get(id);
    if (first !== undefined) {
      const twice = this.#ofKey(this.#texts.recordTwice({ first, line }));
      return { ...known, outcome: 'invalid', ...twice };
    }
    this.#named.set(id, line);
    if (mode === 'create') {
      const exists = this.#ofKey(rowTexts.recordExists({ line, id }));
      return { ...known, outcome: 'invalid', ...exists };
    }
    return this.#planChange(row, record);
  }

  /** The message of a row, which is also that of its cell in the column that identifies records. */
  #ofKey(message: string): Pick<PlannedRow, 'message' | 'fieldMessages'> {
    const { key } = this.#source;
    const column = typeof key === 'number' ? this.#collection.fields[key] : undefined;
    return { message, fieldMessages: new Map(column ? [[column.name, message]] : []) };
  }

  #refusal(line: number, problems: readonly RowProblem[]) {
    const inWords = problems.map((problem) => problem.inWords).join(' ');
    return {
      message: this.#texts.problem(line, inWords),
      fieldMessages: messagesByField(problems),
    };
  }

  #planChange(row: RowToPlan, record: StoredRecord): PlannedRow {
    const { kind, fields } = this.#collection;
    const { id: rowId, version } = record;
    const { values, keywords, problems, notes } = row.read(record);
    const after = record.values.map((value, fieldIndex) =>
      values.has(fieldIndex) ? (values.get(fieldIndex) ?? null) : value,
    );
    const { changes, problems: broken } = checkChanges(fields, record.values, after);
    const keywordChanges = this.#keywordChanges(record, keywords);
    const planned = { rowId, version, changes, keywordChanges, refused: null };
    const again = this.#repeated.get(rowId);
    const errors: RowProblem[] = [
      ...problems,
      ...(again === undefined ? [] : [{ field: null, inWords: rowTexts.revisionTwice(again) }]),
      ...readOnlyProblems(this.#collection, [...changes, ...keywordChanges]),
      ...broken,
    ];
    if (errors.length > 0)
      return { ...planned, outcome: 'invalid', ...this.#refusal(row.line, errors) };
    if (changes.length + keywordChanges.length === 0) {
      return { ...planned, outcome: 'unchanged', message: null };
    }
    if (row.ifMatch !== null && !matchesVersion(row.ifMatch, version)) {
      const changed = changedMeanwhile(kind, record).message;
      return { ...planned, outcome: 'conflict', message: changed };
    }
    const lock = lockOfAnother(record, this.#writer);
    if (lock) {
      return { ...planned, outcome: 'locked', message: lockedMessage(kind, lock).message };
    }
    return { ...planned, outcome: 'changed', message: this.#noteOf(row.line, notes) };
  }

  /** A column for which the row gives no value, not even an empty one, gets its default. */
  #planNew(row: RowToPlan): PlannedRow {
    const { values, keywords, problems, notes } = row.read(this.#nothing);
    const errors = [...problems];
    const isRead = ({ name }: { readonly name: string }) =>
      problems.every(({ field }) => field !== null && field !== name);
    const keywordChanges = this.#keywordChanges(this.#nothing, keywords);
    errors.push(...readOnlyProblems(this.#collection, keywordChanges));
    const changes = this.#collection.fields.flatMap((column, fieldIndex) => {
      const value = row.gives(fieldIndex) ? (values.get(fieldIndex) ?? null) : column.default;
      if (!isWritable(this.#collection, column)) {
        if (value !== column.default) errors.push(...readOnlyProblems(this.#collection, [column]));
        return [];
      }
      const checked = checkRules(column, value);
      // Unreadable cells and rows are reported already.
      if (!checked.ok && (isRead(column) || value !== null))
        errors.push(fieldProblem(column, value, checked.message));
      const after = checked.ok ? checked.value : value;
      return after === null ? [] : [{ name: column.name, before: null, after }];
    });
    const { line } = row;
    const planned = { rowId: -row.line, version: 0, changes, keywordChanges, refused: null };
    return errors.length > 0
      ? { ...planned, outcome: 'invalid', ...this.#refusal(line, errors) }
      : { ...planned, outcome: 'new', message: this.#noteOf(line, notes) };
  }

  #keywordChanges(
    { keywords: current }: CurrentValues,
    wanted: RowReading['keywords'],
  ): KeywordsChange[] {
    return this.#collection.keywordFields.flatMap((field, fieldIndex) => {
      const before = current[fieldIndex] ?? [];
      const after = wanted.get(fieldIndex) ?? before;
      if (sameList(before, after)) return [];
      return [{ name: keywordFieldName(field.name), before, after }];
    });
  }

  /** The note of a planned row about corrected values. */
  #noteOf(line: number, notes: readonly string[] = []): string | null {
    return notes.length === 0 ? null : this.#texts.note(line, notes.join(' '));
  }

  #check(db: Transaction, lines: readonly PlannedLine[]): Promise<PlannedLine[]> {
    return checkRows(
      db,
      this.#collection,
      lines,
      ({ row: { line } }, failed) => this.#texts.blocked(line, failed),
      this.#lookedUp,
    );
  }

  /** Keeps what later rows are checked against. */
  #remember(lines: readonly PlannedLine[]): void {
    for (const { plan, record } of lines) {
      if (isWritten(plan))
        this.#lookedUp.add(this.#collection.fields, valuesAfter(this.#collection, plan, record));
    }
    this.#unique.remember(lines);
  }
}
