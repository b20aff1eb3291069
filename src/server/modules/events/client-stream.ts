import { isoTime } from '#server/lib/iso-time.ts';
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
  /** what the user may see; a change of rights or definitions ends the stream */
  visibleState: VisibleState;
  /** the position up to which the client has received everything that it may see */
  position: number;
  /** whether entries after `position` are being read from the database for it */
  isCatchingUp = false;
  /** the open records of the session, with their last sent presence */
  #sentPresence = new Map<string, string>();
  /** presence that the client has not accepted yet */
  #pending = new Map<string, string>();
  #isReading = false;
  #hasStarted = false;
  readonly #onDemand: (stream: EventStream) => void;

  constructor(
    from: {
      readonly sessionId: string;
      readonly userId: number;
      readonly endsAt: number;
      readonly showsViewers: boolean;
      readonly visibleState: VisibleState;
      readonly position: number;
    },
    onDemand: (stream: EventStream) => void,
  ) {
    super();
    this.sessionId = from.sessionId;
    this.userId = from.userId;
    this.endsAt = from.endsAt;
    this.showsViewers = from.showsViewers;
    this.visibleState = from.visibleState;
    this.position = from.position;
    this.#onDemand = onDemand;
  }

  /** Whether the client accepts more; nothing is queued beyond what it has not read. */
  get hasDemand(): boolean {
    return this.#isReading && !this.destroyed && !this.readableEnded;
  }

  override _read(): void {
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      // A client without events also needs a position to resume from.
      this.push(`retry: ${RETRY}\n${this.#positionLine()}`);
      return;
    }
    this.#isReading = true;
    this.#onDemand(this);
  }

  /**
   * Sends those of the next entries that the user may see.
   * @param upTo the position up to which these are all that exist
   */
  sendChanges(entries: readonly SequencedEntry[], upTo: number): void {
    let text = '';
    for (const entry of entries) {
      if (entry.position <= this.position) continue;
      const named = this.visibleState.names.get(`${entry.scope} ${entry.collectionId}`);
      if (named) text += textOf(entry, named);
    }
    this.position = Math.max(this.position, upTo);
    if (text !== '') this.#send(text);
  }

  /** Sends presence that has changed for the client. */
  sendPresence(open: readonly OpenRecord[]): void {
    const before = this.#sentPresence;
    const pending = this.#pending;
    this.#sentPresence = new Map();
    this.#pending = new Map();
    for (const { kind, collectionId, recordId, viewers } of open) {
      const named = this.visibleState.names.get(`${kind} ${collectionId}`);
      if (!named) continue;
      const record = `${kind} ${collectionId} ${recordId}`;
      const text = JSON.stringify({ ...named, id: String(recordId), viewers });
      this.#sentPresence.set(record, text);
      if (before.get(record) !== text || pending.has(record)) this.#pending.set(record, text);
    }
    this.flushPresence();
  }

  /** Sends the presence that is due. It is not part of the history, so it has no `id`. */
  flushPresence(): void {
    if (!this.hasDemand || this.#pending.size === 0) return;
    const texts = [...this.#pending.values()];
    this.#pending.clear();
    this.#send(texts.map((data) => `event: viewers\ndata: ${data}\n\n`).join(''));
  }

  /** A keep-alive with the client's position. */
  sendHeartbeat(): void {
    if (this.hasDemand) this.#send(`:\n${this.#positionLine()}`);
  }

  end(): void {
    this.#isReading = false;
    this.push(null);
  }

  #positionLine(): string {
    return `id: ${this.position}\n\n`;
  }

  #send(text: string): void {
    this.#isReading = false;
    this.push(text);
  }
}

function textOf(entry: SequencedEntry, named: Named): string {
  const data = JSON.stringify({
    ...named,
    id: String(entry.rowId),
    user: entry.username,
    at: isoTime(entry.at),
  });
  return `event: changed\nid: ${entry.position}\ndata: ${data}\n\n`;
}
