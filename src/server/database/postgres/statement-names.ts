import { createHash } from 'node:crypto';

/** A statement gets a name only after so many uses: rarer ones are not worth preparing. */
const USES_BEFORE_NAME = 2;
/** How many texts are known at most. */
const MAX_TEXTS = 500;

interface Known {
  uses: number;
  readonly name: string;
}

/**
 * The names by which statements are kept prepared on PostgreSQL's connections, so that they are parsed and planned
 * once. Each name belongs to one text for ever: where a pooler gives a connection to others, a name can be missing
 * there or be taken already, and never be another statement's.
 */
export class PreparedNames {
  readonly #known = new Map<string, Known>();
  #given = true;

  /** @returns undefined: it is to be run without */
  nameOf(text: string): string | undefined {
    if (!this.#given) return undefined;
    let known = this.#known.get(text);
    if (!known) {
      // What connections have kept meanwhile goes with them, some minutes later.
      if (this.#known.size >= MAX_TEXTS) this.#known.clear();
      const digest = createHash('sha256').update(text).digest('hex');
      this.#known.set(text, (known = { uses: 0, name: `indexdesk_${digest.slice(0, 40)}` }));
    }
    known.uses += 1;
    return known.uses > USES_BEFORE_NAME ? known.name : undefined;
  }

  /** From now on there are none: a pooler has lost one. */
  giveUp(): void {
    this.#given = false;
    this.#known.clear();
  }
}
