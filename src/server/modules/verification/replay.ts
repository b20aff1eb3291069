import { isSameJson } from '#server/lib/same-json.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/service/verification.ts';
import { EXCEPTION_PREFIX } from '#server/database/records/check-exceptions.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { isScalar, type Scalar } from '#shared/values/value-type.ts';
import { filesChange } from '../files/files.service.ts';
import { changesBetween, readChanges, type EntryRecord } from '../history/history.service.ts';
import { shown } from './verification-findings.ts';

/** Values that were converted from others when the type of their field was changed. */
export interface ReplayedConversion {
  /** the history entry of the definition change */
  readonly entry: number;
  /** the indexes of the fields whose values it reads; null: some of these were purged */
  readonly sources: readonly number[] | null;
  /** the index of the target field */
  readonly to: number;
  /** @param values of `sources`, in their order */
  convert(values: readonly Scalar[]): Scalar;
}

/** An archive or table, with the indexes of its fields by the names that entries use. */
interface ReplayedCollection {
  readonly collection: Collection;
  readonly values: ReadonlyMap<string, number>;
  readonly keywords: ReadonlyMap<string, number>;
  /** in the order of their entries */
  readonly conversions: readonly ReplayedConversion[];
}

export function toReplayed(
  collection: Collection,
  conversions: readonly ReplayedConversion[],
): ReplayedCollection {
  return {
    collection,
    conversions,
    values: new Map(collection.fields.map(({ historyName }, i) => [historyName, i])),
    keywords: new Map(
      collection.keywordFields.map(({ historyName }, i) => [keywordFieldName(historyName), i]),
    ),
  };
}

/** A record as it is stored. */
export interface VerifiedRecord extends StoredRecord {
  /** the names of its files */
  readonly files: readonly string[];
}

/**
 * Whether a record equals its only entry. Compares the text of the entry, which takes a third of the time of a replay;
 * if it differs, a replay determines the differences.
 */
export function matchesOnlyEntry(
  collection: Collection,
  entry: EntryRecord,
  record: VerifiedRecord,
): boolean {
  const { document, files } = record;
  if (entry.version !== 1 || record.version !== 1 || !isCreation(entry)) return false;
  if (record.createdAt !== entry.at || record.changedBy !== entry.username) return false;
  if (!isInTime(entry.at, record.changedAt)) return false;
  if (document && (document.documentId !== record.id || document.revision !== 1)) return false;
  if (document?.lock) return false;
  const changes = changesBetween(collection, null, record);
  if (files.length > 0) changes.push(filesChange([], files));
  return entry.changes === JSON.stringify(changes);
}

function isCreation({ kind }: EntryRecord): boolean {
  return kind === 'create' || kind === 'load';
}

/** How much later an entry may be than its change, in milliseconds: a part of a bulk edit has one time. */
const MAX_DELAY = 60_000;

function isInTime(entryAt: number, changedAt: number): boolean {
  return changedAt <= entryAt && entryAt - changedAt <= MAX_DELAY;
}

/** The names in entries for properties other than values and keywords. */
const DOCUMENT = {
  id: 'document.documentId',
  revision: 'document.revision',
  files: 'document.files',
  locked: 'document.locked',
} as const;
const DOCUMENT_NAMES: readonly string[] = Object.values(DOCUMENT);

/** A record rebuilt from its entries, which are applied in order. */
export class Replay {
  readonly rowId: number;
  readonly #subject: ReplayedCollection;
  #exists = false;
  #conversions = 0;
  #version = 0;
  readonly #values: (Scalar | typeof UNKNOWN)[];
  readonly #keywords: (readonly string[])[];
  readonly #document = new Map<string, unknown>();
  #created: EntryRecord | undefined;
  #changed: EntryRecord | undefined;
  #last: EntryRecord | undefined;

  constructor(subject: ReplayedCollection, rowId: number) {
    this.#subject = subject;
    this.rowId = rowId;
    this.#values = subject.collection.fields.map(() => null);
    this.#keywords = subject.collection.keywordFields.map(() => NONE);
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** the newest entry, for findings */
  get last(): EntryRecord | undefined {
    return this.#last;
  }

  /** Applies the next entry. @returns its contradictions to earlier ones */
  apply(entry: EntryRecord): string[] {
    this.#convertBefore(entry.id);
    const problems: string[] = [];
    const begins = !this.#exists;
    const creates = isCreation(entry);
    if (begins) this.#forgetUnknown();
    if (begins && !creates && entry.kind !== 'restore') {
      problems.push(texts.ofNothing(entry.kind));
    } else if (!begins && creates) problems.push(texts.createdTwice(entry.kind));
    if (entry.version !== this.#version + 1) {
      problems.push(texts.versionWrong({ version: entry.version, before: this.#version }));
    }
    for (const { name, before, after } of readChanges(entry.changes)) {
      const known = this.#get(name);
      // Without an entry, a lock ends with its session, and an exception with a value that it depends on. That of its begin
      // may be purged. Of a built-in check there may be several.
      const sameAsKnown =
        isSameJson(before, known) ||
        known === UNKNOWN ||
        (name === DOCUMENT.locked && !begins && before === null) ||
        (name.startsWith(EXCEPTION_PREFIX) && (before === null || known === null)) ||
        name.startsWith(`${EXCEPTION_PREFIX}_`);
      if (known === undefined) problems.push(texts.unknownName(name));
      else if (!sameAsKnown) {
        problems.push(texts.contradicts({ name, before: shown(before), known: shown(known) }));
      }
      this.#set(name, after);
    }
    this.#version = entry.version;
    this.#exists = entry.kind !== 'delete';
    if (begins) this.#created = entry;
    if (entry.kind !== 'lock') this.#changed = entry;
    if (!this.#exists) {
      this.#document.clear();
      // Fields that were retired before are not named, and their values are deleted with the record.
      this.#values.fill(null);
      for (const index of this.#keywords.keys()) this.#keywords[index] = NONE;
    }
    this.#last = entry;
    return problems;
  }

  /** The differences between a stored record and the replayed one. */
  differences(record: VerifiedRecord): string[] {
    this.#convertBefore(Number.POSITIVE_INFINITY);
    const { fields, keywordFields } = this.#subject.collection;
    const problems: string[] = [];
    const compare = (name: string, stored: unknown, replayed: unknown) => {
      if (isSameJson(stored, replayed)) return;
      problems.push(texts.differs({ name, stored: shown(stored), replayed: shown(replayed) }));
    };
    for (const [i, { name }] of fields.entries()) {
      const replayed = this.#values[i] ?? null;
      if (replayed !== UNKNOWN) compare(name, record.values[i] ?? null, replayed);
    }
    for (const [i, { name }] of keywordFields.entries()) {
      compare(name, record.keywords[i] ?? NONE, this.#keywords[i] ?? NONE);
    }
    compare('version', record.version, this.#version);
    compare('createdAt', record.createdAt, this.#created?.at);
    compare('changedBy', record.changedBy, this.#changed?.username);
    const changedAt = this.#changed?.at;
    if (!isInTime(changedAt ?? 0, record.changedAt)) {
      compare('changedAt', record.changedAt, changedAt);
    }
    if (record.document) {
      const { documentId, revision, lock } = record.document;
      compare('documentId', documentId, Number(this.#document.get(DOCUMENT.id) ?? record.id));
      compare('revision', revision, this.#document.get(DOCUMENT.revision) ?? 1);
      const stored = lock && { by: lock.by, at: isoTime(lock.at) };
      compare('lock', stored, this.#document.get(DOCUMENT.locked) ?? null);
      compare('files', record.files, this.#document.get(DOCUMENT.files) ?? NONE);
    }
    return problems;
  }

  /** Applies the conversions of definition changes before an entry. */
  #convertBefore(entry: number): void {
    const { conversions } = this.#subject;
    for (;;) {
      const next = conversions[this.#conversions];
      if (!next || next.entry > entry) return;
      const values = next.sources?.map((index) => this.#values[index] ?? null) ?? [UNKNOWN];
      const known = values.filter((value) => value !== UNKNOWN);
      this.#values[next.to] = known.length === values.length ? next.convert(known) : UNKNOWN;
      this.#conversions++;
    }
  }

  /** A new record has no converted values. */
  #forgetUnknown(): void {
    for (const [index, value] of this.#values.entries()) {
      if (value === UNKNOWN) this.#values[index] = null;
    }
  }

  /** @returns undefined if there is no such name */
  #get(name: string): unknown {
    const value = this.#subject.values.get(name);
    if (value !== undefined) return this.#values[value] ?? null;
    const keyword = this.#subject.keywords.get(name);
    if (keyword !== undefined) return this.#keywords[keyword] ?? NONE;
    if (!DOCUMENT_NAMES.includes(name) && !name.startsWith(EXCEPTION_PREFIX)) return undefined;
    return this.#document.get(name) ?? (name === DOCUMENT.files ? NONE : null);
  }

  #set(name: string, after: unknown): void {
    const value = this.#subject.values.get(name);
    const keyword = this.#subject.keywords.get(name);
    if (value !== undefined) this.#values[value] = isScalar(after) ? after : null;
    else if (keyword !== undefined) this.#keywords[keyword] = Array.isArray(after) ? after : NONE;
    else this.#document.set(name, after);
  }
}

const NONE: readonly string[] = [];

/** Represents a value that was converted from a purged one. */
const UNKNOWN = Symbol('unknown');
