import type { StoredRecord } from '#server/db/records/record.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { keywordChangeName, readChanges, type Change } from '../history/history.service.ts';

/**
 * Most records are as they came to be, and their first entries tell of all their values. To write what such an entry
 * must say takes a third of the time that reading it takes.
 */
export class Beginnings {
  readonly #values: readonly string[];
  readonly #keywords: readonly string[];

  constructor(thing: Thing) {
    this.#values = thing.fields.map(({ name }) => beginningOf(name, null));
    this.#keywords = thing.keywordFields.map(({ name }) =>
      beginningOf(keywordChangeName(name), []),
    );
  }

  /**
   * Compares the text of an entry with what a record holds.
   * @param changes as an entry keeps them
   * @returns what it tells behind all values and keywords; undefined where it tells something else of them, or in
   *   another order
   */
  behind({ values, keywords }: StoredRecord, changes: string): Change[] | undefined {
    let text = '';
    for (const [place, value] of values.entries()) {
      if (value !== null) text += `${this.#values[place] ?? ''}${JSON.stringify(value)}},`;
    }
    for (const [place, list] of keywords.entries()) {
      if (list.length > 0) text += `${this.#keywords[place] ?? ''}${JSON.stringify(list)}},`;
    }
    const end = text.length;
    // Between the brackets, and without the comma behind the last.
    if (end === 0 || !changes.startsWith(text.slice(0, -1), 1)) return undefined;
    switch (changes[end]) {
      case ']':
        return end + 1 === changes.length ? NONE : undefined;
      case ',':
        return readChanges(`[${changes.slice(end + 1)}`);
      default:
        return undefined;
    }
  }
}

const NONE: Change[] = [];

/** An entry's JSON for a value, up to what the value is after it. */
function beginningOf(name: string, before: unknown): string {
  return `{"name":${JSON.stringify(name)},"before":${JSON.stringify(before)},"after":`;
}
