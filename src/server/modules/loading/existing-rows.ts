import * as texts from '#messages/service/loading.ts';
import { hash } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import { TemporaryKeyMap } from '#server/database/temporary-key-map.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { filesByRevision, type StoredFile } from '../files/files.service.ts';
import { sameList } from '../history/history.service.ts';
import { compareFiles, type Attachment } from './attached-files.ts';
import { ledgerKey, readLedger, readRowsWithHistory, type LedgerKey } from './loading.store.ts';
import type { LoadedRow, RowSource } from './loaded-row.ts';

/** Whether a row is new to its archive or table. */
type RowStatus =
  | { readonly kind: 'new'; readonly ledger: LedgerKey | null }
  /** the record exists; `different`: with other values or files than the row */
  | {
      readonly kind: 'unchanged' | 'different';
      /** files of the row that the record does not have */
      readonly attachment: Attachment | null;
      /** why they cannot be attached */
      readonly problems: readonly string[];
    }
  /** the record was deleted */
  | { readonly kind: 'deleted' };

/** Recognises existing rows: by id, or by the ledger of earlier loads. */
export class ExistingRows {
  readonly #collection: Collection;
  /** whether this load defined the archive or table, so that no row can exist */
  readonly #isNew: boolean;
  /** by source and content: how often it has occurred in this load */
  readonly #occurrences = new TemporaryKeyMap<string>('load_contents', 'text');
  readonly #sources: RowSource[] = [];

  constructor(collection: Collection, isNew: boolean) {
    this.#collection = collection;
    this.#isNew = isNew;
  }

  /** The status of each row; rows come in the order of their file. */
  async statuses(
    db: Transaction,
    source: RowSource,
    rows: readonly LoadedRow[],
  ): Promise<RowStatus[]> {
    const keys = await this.#ledgerKeys(db, source, rows);
    if (this.#isNew) return keys.map((ledger) => ({ kind: 'new', ledger }));

    const ledger = await readLedger(
      db,
      this.#collection,
      source.name,
      keys.flatMap((key) => (key ? [key.digest] : [])),
    );
    const ids = rows.map((row, i) => {
      const key = keys[i];
      return key ? (ledger.get(ledgerKey(key)) ?? null) : row.id;
    });
    const wanted = ids.filter((id) => id !== null);
    const records = await readRecords(db, this.#collection, wanted);
    const missing = wanted.filter((id) => !records.has(id));
    const deleted = await readRowsWithHistory(db, this.#collection, missing);
    const files =
      this.#collection.kind === 'archive' && rows.some((row) => row.files)
        ? await filesByRevision(db, this.#collection, [...records.keys()])
        : undefined;

    const statuses: RowStatus[] = [];
    for (const [i, row] of rows.entries()) {
      const id = ids[i] ?? null;
      const record = id === null ? undefined : records.get(id);
      if (record) {
        statuses.push(await statusOf(row, record, files?.get(record.id) ?? []));
      } else if (id !== null && (keys[i] || deleted.has(id))) statuses.push({ kind: 'deleted' });
      else statuses.push({ kind: 'new', ledger: keys[i] ?? null });
    }
    return statuses;
  }

  /** Removes the temporary table. */
  async end(db: Transaction): Promise<void> {
    await this.#occurrences.drop(db);
  }

  /** The keys of the rows without an id; null for the others. */
  async #ledgerKeys(
    db: Transaction,
    source: RowSource,
    rows: readonly LoadedRow[],
  ): Promise<(LedgerKey | null)[]> {
    const digests = rows.map((row) => (row.id === null ? shortDigest(row.content()) : null));
    const sourceIndex = this.#indexOfSource(source);
    const keyOf = (digest: string) => `${sourceIndex} ${digest}`;
    const wanted = digests.flatMap((digest) => (digest === null ? [] : [keyOf(digest)]));
    const before = await this.#occurrences.read(db, wanted);
    const counts = new Map<string, number>();
    const keys = digests.map((digest) => {
      if (digest === null) return null;
      const key = keyOf(digest);
      const occurrence = (counts.get(key) ?? before.get(key) ?? 0) + 1;
      counts.set(key, occurrence);
      return { digest, occurrence };
    });
    const [known, fresh] = [new Map<string, number>(), new Map<string, number>()];
    for (const [key, count] of counts) (before.has(key) ? known : fresh).set(key, count);
    await this.#occurrences.add(db, fresh);
    await this.#occurrences.change(db, known);
    return keys;
  }

  #indexOfSource(source: RowSource): number {
    const index = this.#sources.indexOf(source);
    return index >= 0 ? index : this.#sources.push(source) - 1;
  }
}

async function statusOf(
  row: LoadedRow,
  record: StoredRecord,
  stored: readonly StoredFile[],
): Promise<RowStatus> {
  const { missing, differs, problems } = row.files
    ? await compareFiles(stored, row.files)
    : { missing: [], differs: false, problems: [] };
  const lock = record.document?.lock;
  const locked = lock && missing.length > 0 ? [texts.documentLocked(lock.by)] : [];
  return {
    kind: sameValues(row, record) && !differs ? 'unchanged' : 'different',
    attachment: missing.length > 0 ? { record, stored, missing } : null,
    problems: [...problems, ...locked],
  };
}

/** 128 bits, so that collisions do not occur. */
export function shortDigest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Whether the record has the values of the row. */
function sameValues(row: LoadedRow, record: StoredRecord): boolean {
  return (
    row.values.every((value, i) => value === undefined || value === (record.values[i] ?? null)) &&
    row.keywords.every((list, i) => list === undefined || sameList(list, record.keywords[i] ?? []))
  );
}
