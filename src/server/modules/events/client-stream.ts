import { Readable } from 'node:stream';
import type { SequencedEntry } from '../history/history.service.ts';
import type { OpenRecord } from '../presence/presence.service.ts';
import type { Named, VisibleState } from './visible-state.ts';

/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 1_000;

/** The stream of one client. It starts when it is first read. */
export class EventStream extends Readable {
  readonly sessionId: string;
  readonly userId: number;
  /** when it ends, as `performance.now()` */
  readonly endsAt: number;
  /** whether the client has requested presence for the open records of its session */
  readonly showsViewers: boolean;
  /** what the user may see; a change of rights ends the stream */
  sight: VisibleState;
  /** the position up to which the client has received everything that it may see */
  position: number;
  /** whether entries after `position` are being read from the database for it */
  catchingUp = false;
  /** the open records of the session, with their last sent presence */
  #shown = new Map<string, string>();
  /** presence that the client has not accepted yet */
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

  /** Whether the client accepts more; nothing is queued beyond what it has not read. */
  get wants(): boolean {
    return this.#wants && !this.destroyed && !this.readableEnded;
  }

  override _read(): void {
    if (!this.#greeted) {
      this.#greeted = true;
      // A client without events also needs a position to resume from.
      this.push(`retry: ${RETRY}\n${this.#place()}`);
      return;
    }
    this.#wants = true;
    this.#onWanted(this);
  }

  /**
   * Sends those of the next entries that the user may see.
   * @param upTo the position up to which these are all that exist
   */
  sendChanges(entries: readonly SequencedEntry[], upTo: number): void {
    let text = '';
    for (const entry of entries) {
      if (entry.position <= this.position) continue;
      const named = this.sight.names.get(`${entry.scope} ${entry.collectionId}`);
      if (named) text += textOf(entry, named);
    }
    this.position = Math.max(this.position, upTo);
    if (text !== '') this.#send(text);
  }

  /** Sends presence that has changed for the client. */
  sendPresence(open: readonly OpenRecord[]): void {
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

  /** Sends the presence that is due. It is not part of the history, so it has no `id`. */
  showRest(): void {
    if (!this.wants || this.#unsaid.size === 0) return;
    const texts = [...this.#unsaid.values()];
    this.#unsaid.clear();
    this.#send(texts.map((data) => `event: viewers\ndata: ${data}\n\n`).join(''));
  }

  /** A keep-alive with the client's position. */
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
