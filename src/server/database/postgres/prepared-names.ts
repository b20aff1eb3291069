import { hash } from 'node:crypto';

/** A statement gets a name only after this many uses: rarer ones are not worth preparing. */
const USES_BEFORE_NAME = 2;
/** How many texts are remembered at most. */
const MAX_TEXTS = 500;

interface Known {
  uses: number;
  readonly name: string;
}

/**
 * The names under which statements are prepared on PostgreSQL's connections, so that they are parsed and planned once.
 * A name is never reused for another text: if a pooler reassigns a connection, a name may be missing or taken, but
 * never refers to another statement.
 */
export class PreparedNames {
  readonly #known = new Map<string, Known>();
  #given = true;

  /** @returns undefined: run it without a name */
  nameOf(text: string): string | undefined {
    if (!this.#given) return undefined;
    let known = this.#known.get(text);
    if (!known) {
      // Statements that are prepared on connections are released with these, some minutes later.
      if (this.#known.size >= MAX_TEXTS) this.#known.clear();
      const digest = hash('sha256', text, 'hex');
      this.#known.set(text, (known = { uses: 0, name: `indexdesk_${digest.slice(0, 40)}` }));
    }
    known.uses += 1;
    return known.uses > USES_BEFORE_NAME ? known.name : undefined;
  }

  /** Stops naming statements, because a pooler has lost one. */
  disable(): void {
    this.#given = false;
    this.#known.clear();
  }
}
