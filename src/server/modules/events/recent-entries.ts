import type { SequencedEntries, SequencedEntry } from '../history/history.service.ts';

/** The maximum number of entries in the buffer. */
const MAX_ENTRIES = 10_000;

/** A buffer of the newest entries of the history, shared by all clients; empty while there is no client. */
export class RecentEntries {
  #entries: SequencedEntry[] = [];
  /** all entries after this position up to `head` are in the buffer, in order */
  #start = 0;
  #head: number | null = null;

  /** the position up to which the history was read; null: the buffer is empty */
  get head(): number | null {
    return this.#head;
  }

  clear(): void {
    this.#entries = [];
    this.#head = null;
  }

  /** Adds entries that were read after `head`, or after `from` if the buffer is empty. */
  add(from: number, { entries, upTo }: SequencedEntries): void {
    if (this.#head === null) this.#start = from;
    const all = [...this.#entries, ...entries];
    this.#entries = all.slice(-MAX_ENTRIES);
    if (all.length > MAX_ENTRIES) this.#start = all.at(-MAX_ENTRIES - 1)?.position ?? this.#start;
    this.#head = upTo;
  }

  /** Some entries after a position; null: they are no longer in the buffer. */
  after(position: number, count: number): SequencedEntry[] | null {
    if (position < this.#start) return null;
    const next = this.#entries.findLastIndex((entry) => entry.position <= position) + 1;
    return this.#entries.slice(next, next + count);
  }
}
