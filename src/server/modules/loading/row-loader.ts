import * as texts from '#messages/service/loading.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import { insertRecords } from '#server/database/records/write-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { TemporaryKeyMap } from '#server/database/temporary-key-map.ts';
import { addFiles, filesChange } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { recordHistory, type Actor } from '../history/history.service.ts';
import { attachFiles, type Attachment } from './attached-files.ts';
import { describePosition, type BadRows } from './bad-rows.ts';
import { copyIntoStore, problemOfFile } from './file-uploads.ts';
import { findBlocked, WrittenLookupValues, hasSelfLookups } from '../records/blocking-checks.ts';
import { ExistingRows } from './existing-rows.ts';
import { insertLedger, type LedgerKey } from './loading.store.ts';
import type { LoadedRow, RowPosition, RowProblem, RowSource } from './loaded-row.ts';
import { UniqueValues, type Completed } from './unique-values.ts';

/** The rows of a load by result, without bad ones. */
export interface RowCounts {
  added: number;
  unchanged: number;
  different: number;
  deleted: number;
  /** files that were attached to existing documents */
  attached: number;
}

/** A row that is stored unless it has problems. */
interface CheckedRow extends Completed {
  readonly ledger: LedgerKey | null;
}

/** Why a check of severity `block` refuses a row. */
interface BlockingProblem extends RowProblem {
  /** whether another row may have the value that it looks up */
  readonly mayBeSolved: boolean;
}

/** Rows that are checked and stored together. */
export const CHUNK_SIZE = 250;

/** How many rows may wait for what they look up in rows further down. They are in memory. */
const MAX_WAITING = 10_000;
/** How often rows are checked again, each time without those that were refused before. */
const MAX_ROUNDS = 10;
/** Of rows that may look up the values of others which are refused. */
const NOT_CHECKED: readonly RowProblem[] = [{ field: null, message: texts.notChecked }];

/** Loads rows into one archive or table, within the transaction of `db`. */
export class RowLoader {
  readonly counts: RowCounts = {
    added: 0,
    unchanged: 0,
    different: 0,
    deleted: 0,
    attached: 0,
  };
  readonly #db: Transaction;
  readonly #collection: Collection;
  readonly #isNew: boolean;
  /** whether checks of severity `block` look up values in the archive or table itself */
  readonly #hasSelfLookups: boolean;
  readonly #actor: Actor;
  readonly #files: FileStore;
  readonly #bad: BadRows;
  readonly #existing: ExistingRows;
  readonly #unique: UniqueValues;
  /** rows that fail checks of severity `block`, as long as rows further down may have what they look up */
  readonly #waiting: { readonly source: RowSource; readonly candidate: CheckedRow }[] = [];
  /** the row of each id of this load */
  readonly #ids = new TemporaryKeyMap<number>('load_ids', 'integer');

  /** @param isNew whether the archive or table was defined in this transaction */
  constructor(
    db: Transaction,
    collection: Collection,
    isNew: boolean,
    { actor, files, bad }: { actor: Actor; files: FileStore; bad: BadRows },
  ) {
    this.#db = db;
    this.#collection = collection;
    this.#isNew = isNew;
    this.#hasSelfLookups = hasSelfLookups(collection);
    this.#actor = actor;
    this.#files = files;
    this.#bad = bad;
    this.#existing = new ExistingRows(collection, isNew);
    this.#unique = new UniqueValues(collection, isNew);
  }

  /** Stores the new ones of some rows of a source, in the order of their file. */
  async load(source: RowSource, rows: readonly LoadedRow[]): Promise<void> {
    const good: LoadedRow[] = [];
    const idProblems = await this.#idProblems(rows);
    for (const [i, row] of rows.entries()) {
      const problems = [...row.problems, ...(idProblems[i] ?? [])];
      if (problems.length === 0) good.push(row);
      else await this.#bad.add(source, row, problems);
    }
    const candidates: CheckedRow[] = [];
    const attachments: Attachment[] = [];
    for (const [i, status] of (await this.#existing.statuses(this.#db, source, good)).entries()) {
      const row = good[i];
      if (!row) continue;
      if (status.kind === 'new') {
        candidates.push(await this.#complete(row, status.ledger));
        continue;
      }
      if (status.kind !== 'deleted') {
        const problems = status.problems.map((message) => ({ field: null, message }));
        if (problems.length > 0) {
          await this.#bad.add(source, row, problems);
          continue;
        }
        if (status.attachment) attachments.push(status.attachment);
      }
      this.counts[status.kind] += 1;
    }
    const taken = await this.#unique.problems(this.#db, candidates);
    const blocked = await this.#blocked(candidates);
    let fit: CheckedRow[] = [];
    for (const [i, candidate] of candidates.entries()) {
      const notMet = blocked.get(candidate) ?? [];
      const problems = [
        ...candidate.problems,
        ...(taken[i] ?? []),
        ...notMet.filter(({ mayBeSolved }) => !mayBeSolved),
      ];
      if (problems.length > 0) await this.#bad.add(source, candidate.row, problems);
      else if (notMet.length > 0) await this.#postpone(source, candidate, notMet);
      else fit.push(candidate);
    }
    // A row may look up what only such a row has.
    for (let round = 1; this.#hasSelfLookups && fit.length > 0; round += 1) {
      const notMet = await this.#blocked(fit);
      if (notMet.size === 0) break;
      for (const [row, problems] of notMet) await this.#postpone(source, row, problems);
      fit = fit.filter((candidate) => !notMet.has(candidate));
      if (round < MAX_ROUNDS) continue;
      for (const candidate of fit.splice(0)) await this.#postpone(source, candidate, NOT_CHECKED);
    }
    if (this.#bad.isFatal) return;
    await this.#attach(attachments);
    await this.#store(source, fit);
  }

  /** Stores the rows that look up what rows further down have; called after each pass. The others are bad. */
  async loadWaiting(): Promise<void> {
    let waiting = this.#waiting.splice(0);
    // What they look up may not be stored.
    if (this.#bad.isFatal) return;
    for (let round = 1; ; round += 1) {
      const together = new WrittenLookupValues(this.#collection);
      for (const { candidate } of waiting) together.add(this.#collection.fields, candidate.values);
      const blocked = new Map<CheckedRow, RowProblem[]>();
      for (const some of chunks(waiting, CHUNK_SIZE)) {
        const candidates = some.map(({ candidate }) => candidate);
        for (const [row, problems] of await this.#blocked(candidates, together)) {
          blocked.set(row, problems);
        }
      }
      if (blocked.size === 0) break;
      for (const { source, candidate } of waiting) {
        const problems = blocked.get(candidate);
        if (problems) await this.#bad.add(source, candidate.row, problems);
      }
      waiting = waiting.filter(({ candidate }) => !blocked.has(candidate));
      if (round < MAX_ROUNDS) continue;
      for (const { source, candidate } of waiting.splice(0)) {
        await this.#bad.add(source, candidate.row, NOT_CHECKED);
      }
    }
    if (this.#bad.isFatal) return;
    for (const [source, rows] of Map.groupBy(waiting, (row) => row.source)) {
      for (const some of chunks(rows, CHUNK_SIZE)) {
        await this.#store(
          source,
          some.map(({ candidate }) => candidate),
        );
      }
    }
  }

  /** Lets a row wait for what rows further down may have; refuses it if too many wait. */
  async #postpone(
    source: RowSource,
    candidate: CheckedRow,
    problems: readonly RowProblem[],
  ): Promise<void> {
    if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push({ source, candidate });
    } else await this.#bad.add(source, candidate.row, problems);
  }

  /**
   * The problems of rows that fail checks of severity `block`.
   * @param together the values of rows that are stored with them
   */
  async #blocked(
    candidates: readonly CheckedRow[],
    together?: WrittenLookupValues,
  ): Promise<Map<CheckedRow, BlockingProblem[]>> {
    const values = candidates.map((row) => ({ id: null, before: null, after: row.values, row }));
    const blocked = await findBlocked(this.#db, this.#collection, values, 'all', together);
    const found = new Map<CheckedRow, BlockingProblem[]>();
    for (const { candidate, field, isSelfLookup, message } of blocked) {
      const problem = { field, message: message.message, mayBeSolved: isSelfLookup };
      found.set(candidate.row, [...(found.get(candidate.row) ?? []), problem]);
    }
    return found;
  }

  /** Removes the temporary tables; called after the last rows. */
  async end(): Promise<void> {
    await this.#ids.drop(this.#db);
    await this.#existing.end(this.#db);
    await this.#unique.end(this.#db);
  }

  /** The errors of the id of each row, in the order of the rows. */
  async #idProblems(rows: readonly LoadedRow[]): Promise<RowProblem[][]> {
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    const before = await this.#ids.read(this.#db, ids);
    const fresh = new Map<number, RowPosition>();
    const name = this.#collection.kind === 'archive' ? 'revisionId' : 'jrid';
    const problems = rows.map(({ id, position }): RowProblem[] => {
      if (id === null) return [];
      const first = before.get(id) ?? fresh.get(id);
      if (first === undefined) {
        fresh.set(id, position);
        return [];
      }
      const holder = describePosition({ position: first });
      return [{ field: null, message: texts.idTwice({ name, id, holder }) }];
    });
    await this.#ids.add(this.#db, fresh);
    return problems;
  }

  /** Adds defaults, and checks what only new rows need. */
  async #complete(row: LoadedRow, ledger: LedgerKey | null): Promise<CheckedRow> {
    const values = this.#collection.fields.map((field, index) => {
      const given = row.values[index];
      return given === undefined ? field.default : given;
    });
    const problems: RowProblem[] = [];
    for (const [index, field] of this.#collection.fields.entries()) {
      // The values of the row were checked before.
      const empty = values[index] === null || values[index] === '';
      if (field.required && empty && row.values[index] === undefined) {
        problems.push({ field: field.name, message: texts.valueRequired });
      }
    }
    for (const file of row.files ?? []) {
      const message = await problemOfFile(file);
      if (message !== null) problems.push({ field: null, message });
    }
    return { row, values, ledger, problems };
  }

  async #attach(attachments: readonly Attachment[]): Promise<void> {
    const [db, collection] = [this.#db, this.#collection];
    if (collection.kind !== 'archive' || attachments.length === 0) return;
    this.counts.attached += await attachFiles(
      db,
      collection,
      this.#actor,
      this.#files,
      attachments,
    );
  }

  async #store(source: RowSource, candidates: readonly CheckedRow[]): Promise<void> {
    if (candidates.length === 0) return;
    const [db, collection, at] = [this.#db, this.#collection, Date.now()];
    const copies = await copyIntoStore(
      db,
      this.#files,
      candidates.flatMap(({ row }) => row.files ?? []),
    );
    const filesOf = ({ files = [] }: LoadedRow) => files.flatMap((path) => copies.get(path) ?? []);
    const records = candidates.map(({ row, values }) => ({
      id: row.id,
      version: 1,
      values,
      keywords: collection.keywordFields.map((_, index) => row.keywords[index] ?? []),
      document: collection.kind === 'archive' ? { documentId: null, revision: 1 } : null,
    }));
    const stamp = { at, by: this.#actor.username };
    // A new archive or table gets its indexes after its rows.
    const search = this.#isNew ? 'later' : 'now';
    const ids = await insertRecords(db, collection, records, stamp, search);
    const stored = candidates.map((candidate, i) => ({ ...candidate, id: ids[i] ?? 0 }));

    await recordHistory(
      db,
      collection,
      this.#actor,
      at,
      records.map((after, i) => {
        const names = candidates[i] ? filesOf(candidates[i].row).map(({ name }) => name) : [];
        return {
          kind: 'load',
          id: ids[i] ?? 0,
          version: 1,
          before: null,
          after,
          ...(names.length > 0 ? { otherChanges: [filesChange([], names)] } : {}),
        };
      }),
    );
    if (collection.kind === 'archive') {
      const files = stored.flatMap(({ id, row }) =>
        filesOf(row).map((file, position) => ({ ...file, rowId: id, position })),
      );
      await addFiles(db, collection, files);
    }
    const entries = stored.flatMap(({ id, ledger }) => (ledger ? [{ ...ledger, rowId: id }] : []));
    await insertLedger(db, collection, source.name, entries);
    this.counts.added += candidates.length;
  }
}
