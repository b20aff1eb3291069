import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Scalar } from '#shared/values.ts';
import {
  keywordChangeName,
  sameList,
  type Change,
  type WalkedEntry,
} from '../history/history.service.ts';
import { shown } from './findings.ts';

/** Where the names that entries give to values stand in the definition. */
export interface ErrorPaths {
  readonly values: ReadonlyMap<string, number>;
  readonly keywords: ReadonlyMap<string, number>;
}

export function placesOf(collection: Collection): ErrorPaths {
  return {
    values: new Map(collection.fields.map(({ name }, place) => [name, place])),
    keywords: new Map(
      collection.keywordFields.map(({ name }, place) => [keywordChangeName(name), place]),
    ),
  };
}

/** The names under which the history tells of what is neither a value nor a keyword. */
const DOCUMENT = {
  id: 'document.documentId',
  revision: 'document.revision',
  files: 'document.files',
  locked: 'document.locked',
} as const;
const DOCUMENT_NAMES: readonly string[] = Object.values(DOCUMENT);

/** Milliseconds by which a change may be told after it was made: a part of a bulk edit is told as a whole. */
export const TOLD_LATER = 60_000;

/** What the entries of one record say it is; takes them oldest first. */
export class Rebuilt {
  readonly rowId: number;
  readonly #collection: Collection;
  readonly #places: ErrorPaths;
  #exists = false;
  #version = 0;
  readonly #values: Scalar[];
  readonly #keywords: (readonly string[])[];
  readonly #document = new Map<string, unknown>();
  #created: WalkedEntry | undefined;
  #changed: WalkedEntry | undefined;
  #last: WalkedEntry | undefined;

  constructor(collection: Collection, places: ErrorPaths, rowId: number) {
    this.#collection = collection;
    this.#places = places;
    this.rowId = rowId;
    this.#values = collection.fields.map(() => null);
    this.#keywords = collection.keywordFields.map(() => NONE);
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** the newest entry, to be named by findings */
  get last(): WalkedEntry | undefined {
    return this.#last;
  }

  /**
   * Takes the next entry.
   * @param changes what it tells
   * @returns how it contradicts those before it
   */
  take(entry: WalkedEntry, changes: readonly Change[]): string[] {
    const problems: string[] = [];
    const begins = !this.#exists;
    const creates = entry.kind === 'create' || entry.kind === 'load';
    if (begins && !creates && entry.kind !== 'restore') {
      problems.push(`its ${entry.kind} is of what is not there`);
    } else if (!begins && creates) problems.push(`its ${entry.kind} is of what is there already`);
    if (entry.version !== this.#version + 1) {
      problems.push(`its version is ${entry.version} after ${this.#version}`);
    }
    for (const { name, before, after } of changes) {
      const known = this.#get(name);
      // A lock whose session has ended is none, and nobody tells of that.
      const sameAsKnown =
        same(before, known) || (name === DOCUMENT.locked && !begins && before === null);
      if (known === undefined) problems.push(`it names ${name}, which the definition does not`);
      else if (!sameAsKnown) {
        problems.push(
          `${name} was ${shown(before)} before, and ${shown(known)} after the entries before it`,
        );
      }
      this.#set(name, after);
    }
    this.#version = entry.version;
    this.#exists = entry.kind !== 'delete';
    if (begins) this.#created = entry;
    if (entry.kind !== 'lock') this.#changed = entry;
    if (!this.#exists) this.#document.clear();
    this.#last = entry;
    return problems;
  }

  /** How a stored record differs from what its entries say. */
  differences(record: StoredRecord, files: readonly string[]): string[] {
    const problems: string[] = [];
    const compare = (what: string, stored: unknown, told: unknown) => {
      if (!same(stored, told)) {
        problems.push(`${what} is ${shown(stored)}, its history leads to ${shown(told)}`);
      }
    };
    for (const [place, value] of record.values.entries()) {
      const told = this.#values[place] ?? null;
      if (value !== told) compare(this.#collection.fields[place]?.name ?? '', value, told);
    }
    for (const [place, list] of record.keywords.entries()) {
      const told = this.#keywords[place] ?? NONE;
      if (!sameList(list, told))
        compare(this.#collection.keywordFields[place]?.name ?? '', list, told);
    }
    compare('version', record.version, this.#version);
    compare('createdAt', record.createdAt, this.#created?.at);
    compare('changedBy', record.changedBy, this.#changed?.username);
    const late = (this.#changed?.at ?? 0) - record.changedAt;
    if (late < 0 || late > TOLD_LATER) compare('changedAt', record.changedAt, this.#changed?.at);
    if (record.document) {
      const { documentId, revision, lock } = record.document;
      compare('documentId', documentId, Number(this.#document.get(DOCUMENT.id) ?? record.id));
      compare('revision', revision, this.#document.get(DOCUMENT.revision) ?? 1);
      const stored = lock && { by: lock.by, at: new Date(lock.at).toISOString() };
      compare('lock', stored, this.#document.get(DOCUMENT.locked) ?? null);
      compare('files', files, this.#document.get(DOCUMENT.files) ?? NONE);
    }
    return problems;
  }

  /** @returns undefined where there is no such name */
  #get(name: string): unknown {
    const place = this.#places.values.get(name);
    if (place !== undefined) return this.#values[place] ?? null;
    const keyword = this.#places.keywords.get(name);
    if (keyword !== undefined) return this.#keywords[keyword] ?? NONE;
    if (!DOCUMENT_NAMES.includes(name)) return undefined;
    return this.#document.get(name) ?? (name === DOCUMENT.files ? NONE : null);
  }

  #set(name: string, after: unknown): void {
    const place = this.#places.values.get(name);
    const keyword = this.#places.keywords.get(name);
    if (place !== undefined) this.#values[place] = isScalar(after) ? after : null;
    else if (keyword !== undefined) this.#keywords[keyword] = Array.isArray(after) ? after : NONE;
    else this.#document.set(name, after);
  }
}

const NONE: readonly string[] = [];

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== 'object';
}

/** Whether two plain JSON values are the same; the order of an object's keys counts. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
