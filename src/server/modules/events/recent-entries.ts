import type { SequencedEntries, SequencedEntry } from '../history/history.service.ts';

/** How many entries are kept. */
const MAX_ENTRIES = 10_000;

/** The newest entries of the history, shared by all clients; empty while there is no client. */
export class RecentEntries {
  #entries: SequencedEntry[] = [];
  /** all entries after this position up to `head` are kept, in order */
  #start = 0;
  #head: number | null = null;

  /** the position to which the history was read; null: nothing is kept */
  get head(): number | null {
    return this.#head;
  }

  clear(): void {
    this.#entries = [];
    this.#head = null;
  }

  /** Adds entries that were read after `head`, or after `from` if nothing is kept. */
  add(from: number, { entries, upTo }: SequencedEntries): void {
    if (this.#head === null) this.#start = from;
    const all = [...this.#entries, ...entries];
    this.#entries = all.slice(-MAX_ENTRIES);
    if (all.length > MAX_ENTRIES) this.#start = all.at(-MAX_ENTRIES - 1)?.position ?? this.#start;
    this.#head = upTo;
  }

  /** Some entries after a position; null: they are not kept any more. */
  after(position: number, count: number): SequencedEntry[] | null {
    if (position < this.#start) return null;
    const next = this.#entries.findLastIndex((entry) => entry.position <= position) + 1;
    return this.#entries.slice(next, next + count);
  }
}
