import { Readable } from 'node:stream';
import type { PlacedEntry } from '../history/history.service.ts';
import type { Named, Sight } from './sights.ts';

/** How long a browser waits before it comes back, in milliseconds. */
const RETRY = 1_000;

/** What one client is sent. It takes part from the moment it is read. */
export class EventStream extends Readable {
  readonly sessionId: string;
  /** when it ends by itself, of `performance.now()` */
  readonly endsAt: number;
  /** what the user may see; another right ends the stream */
  sight: Sight;
  /** up to where the client has been told of everything it may see */
  position: number;
  /** whether what is behind `position` is being read from the database for it */
  catchingUp = false;
  #wants = false;
  #greeted = false;
  readonly #onWanted: (stream: EventStream) => void;

  constructor(
    from: {
      readonly sessionId: string;
      readonly endsAt: number;
      readonly sight: Sight;
      readonly position: number;
    },
    onWanted: (stream: EventStream) => void,
  ) {
    super();
    this.sessionId = from.sessionId;
    this.endsAt = from.endsAt;
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
  tell(entries: readonly PlacedEntry[]): void {
    let text = '';
    for (const entry of entries) {
      if (entry.position <= this.position) continue;
      this.position = entry.position;
      const named = this.sight.names.get(`${entry.scope} ${entry.thingId}`);
      if (named) text += textOf(entry, named);
    }
    if (text !== '') this.#send(text);
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

function textOf(entry: PlacedEntry, named: Named): string {
  const data = JSON.stringify({
    ...named,
    id: String(entry.rowId),
    user: entry.username,
    at: new Date(entry.at).toISOString(),
  });
  return `event: changed\nid: ${entry.position}\ndata: ${data}\n\n`;
}
