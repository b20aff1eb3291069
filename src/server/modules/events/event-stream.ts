import { Readable } from 'node:stream';
import type { SequencedEntry } from '../history/history.service.ts';
import type { OpenRecord } from '../presence/presence.service.ts';
import type { Named, VisibleState } from './visible-state.ts';

/** How long a browser waits before it comes back, in milliseconds. */
const RETRY = 1_000;

/** What one client is sent. It takes part from the moment it is read. */
export class EventStream extends Readable {
  readonly sessionId: string;
  readonly userId: number;
  /** when it ends by itself, of `performance.now()` */
  readonly endsAt: number;
  /** whether the client has asked who else has open what its session has open */
  readonly showsViewers: boolean;
  /** what the user may see; another right ends the stream */
  sight: VisibleState;
  /** up to where the client has been told of everything it may see */
  position: number;
  /** whether what is behind `position` is being read from the database for it */
  catchingUp = false;
  /** what the session has open, and what the client is told of it */
  #shown = new Map<string, string>();
  /** what of it the client has not taken yet */
  #unsaid = new Map<string, string>();
  #wants = false;
  #greeted = false;
  readonly #onWanted: (stream: EventStream) => void;

  constructor(
    from: {
      readonly sessionId: string;
      readonly userId: number;
      readonly endsAt: number;
      readonly showsViewers: boolean;
      readonly sight: VisibleState;
      readonly position: number;
    },
    onWanted: (stream: EventStream) => void,
  ) {
    super();
    this.sessionId = from.sessionId;
    this.userId = from.userId;
    this.endsAt = from.endsAt;
    this.showsViewers = from.showsViewers;
    this.sight = from.sight;
    this.position = from.position;
    this.#onWanted = onWanted;
  }

  /** Whether the client takes more; what it has not taken is not added to. */
  get wants(): boolean {
    return this.#wants && !this.destroyed && !this.readableEnded;
  }

  override _read(): void {
    if (!this.#greeted) {
      this.#greeted = true;
      // Also who never hears of anything knows where to come back to.
      this.push(`retry: ${RETRY}\n${this.#place()}`);
      return;
    }
    this.#wants = true;
    this.#onWanted(this);
  }

  /** Tells of what the user may see among the next entries. */
  tell(entries: readonly SequencedEntry[]): void {
    let text = '';
    for (const entry of entries) {
      if (entry.position <= this.position) continue;
      this.position = entry.position;
      const named = this.sight.names.get(`${entry.scope} ${entry.collectionId}`);
      if (named) text += textOf(entry, named);
    }
    if (text !== '') this.#send(text);
  }

  /** Tells who else has open what the session has, where the client does not know it yet. */
  show(open: readonly OpenRecord[]): void {
    const before = this.#shown;
    const unsaid = this.#unsaid;
    this.#shown = new Map();
    this.#unsaid = new Map();
    for (const { kind, collectionId, recordId, viewers } of open) {
      const named = this.sight.names.get(`${kind} ${collectionId}`);
      if (!named) continue;
      const record = `${kind} ${collectionId} ${recordId}`;
      const text = JSON.stringify({ ...named, id: String(recordId), viewers });
      this.#shown.set(record, text);
      if (before.get(record) !== text || unsaid.has(record)) this.#unsaid.set(record, text);
    }
    this.showRest();
  }

  /** Tells what of it the client has not taken yet. It is no history: it has no `id`. */
  showRest(): void {
    if (!this.wants || this.#unsaid.size === 0) return;
    const texts = [...this.#unsaid.values()];
    this.#unsaid.clear();
    this.#send(texts.map((data) => `event: viewers\ndata: ${data}\n\n`).join(''));
  }

  /** Says that the connection lives, and how far the client has come. */
  beat(): void {
    if (this.wants) this.#send(`:\n${this.#place()}`);
  }

  end(): void {
    this.#wants = false;
    this.push(null);
  }

  #place(): string {
    return `id: ${this.position}\n\n`;
  }

  #send(text: string): void {
    this.#wants = false;
    this.push(text);
  }
}

function textOf(entry: SequencedEntry, named: Named): string {
  const data = JSON.stringify({
    ...named,
    id: String(entry.rowId),
    user: entry.username,
    at: new Date(entry.at).toISOString(),
  });
  return `event: changed\nid: ${entry.position}\ndata: ${data}\n\n`;
}
