import { createEventParser, type ServerEvent } from './event-parser.ts';

/** How an attempt to follow the stream ended. */
type Ended =
  /** the connection failed or was lost */
  | {
      readonly reason: 'lost';
      readonly opened: boolean;
      /** the wait that the service requests, in milliseconds */
      readonly wait: number | null;
      /** whether the service does not know the position: its data is different, such as after a restore from a backup */
      readonly isUnknownPosition?: boolean;
    }
  /** the user is signed out */
  | { readonly reason: 'signed-out' }
  /** the service has no events */
  | { readonly reason: 'none' };

interface EventStreamOptions {
  /** absolute, because a worker has no page */
  readonly url: string;
  /** the last received event; null: from now on */
  readonly since: string | null;
  readonly signal: AbortSignal;
  /** called once the service has sent its start position */
  readonly onOpen: () => void;
  /** @param lastId the position up to which all events were reported */
  readonly onEvents: (events: readonly ServerEvent[], lastId: string) => void;
  readonly onLost: () => void;
}

/** The service sends something at least every 15 seconds; a connection that is silent for longer is closed. */
const MAX_SILENCE = 40_000;
const FIRST_PAUSE = 500;
const MAX_PAUSE = 30_000;
/** After a longer break everything on the screen is refetched: replaying a day's changes one by one would take long. */
const MAX_REPLAYED_BREAK = 10 * 60_000;

/**
 * Follows a stream of server-sent events: reconnects after each break and continues at the last position, with growing
 * pauses. Resolves when the user is signed out, the service has no events, or after the next pause when `signal` is
 * aborted.
 */
export async function followEvents(
  options: EventStreamOptions,
): Promise<'signed-out' | 'none' | 'ended'> {
  const { signal, onLost } = options;
  let since = options.since;
  let lastOpenAt = Date.now();
  const onEvents: EventStreamOptions['onEvents'] = (events, lastId) => {
    since = lastId;
    options.onEvents(events, lastId);
  };
  for (let tries = 0; !signal.aborted; tries++) {
    // One connection after the other.
    const ended = await attempt({ ...options, since, onEvents });
    if (signal.aborted) break;
    if (ended.reason !== 'lost') return ended.reason;
    if (ended.opened) lastOpenAt = Date.now();
    onLost();
    if (ended.opened) tries = 0;
    const pause = pauseBefore(tries, ended.wait);
    await new Promise((over) => void setTimeout(over, pause));
    if (ended.isUnknownPosition || Date.now() - lastOpenAt > MAX_REPLAYED_BREAK) since = null;
  }
  return 'ended';
}

/** Milliseconds, reduced at random by up to half, so that browsers do not all reconnect at once. */
function pauseBefore(tries: number, requested: number | null): number {
  const growing = Math.min(FIRST_PAUSE * 2 ** Math.min(tries, 10), MAX_PAUSE);
  return Math.max(growing, requested ?? 0) * (1 - Math.random() / 2);
}

async function attempt(options: EventStreamOptions): Promise<Ended> {
  const { url, since, signal, onOpen, onEvents } = options;
  let opened = false;
  let wait: number | null = null;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), MAX_SILENCE);
  try {
    const response = await fetch(url, {
      headers: {
        Accept: 'text/event-stream',
        ...(since === null ? {} : { 'Last-Event-ID': since }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401) return { reason: 'signed-out' };
    if (response.status === 404) return { reason: 'none' };
    if (!isEventStream(response)) {
      await response.body?.cancel();
      const isUnknownPosition = response.status === 400;
      return { reason: 'lost', opened: false, wait: retryAfter(response), isUnknownPosition };
    }
    const parser = createEventParser();
    for await (const text of textChunksOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), MAX_SILENCE);
      const events = parser.parse(text);
      wait = parser.wait();
      const lastId = parser.lastId();
      if (lastId === null) continue;
      onEvents(events, lastId);
      if (!opened) onOpen();
      opened = true;
    }
  } catch {
    // No server, or a broken or closed connection: reconnect.
  } finally {
    clearTimeout(timer);
  }
  return { reason: 'lost', opened, wait };
}

function isEventStream(
  response: Response,
): response is Response & { readonly body: ReadableStream<Uint8Array> } {
  const type = response.headers.get('Content-Type') ?? '';
  return response.ok && response.body !== null && type.startsWith('text/event-stream');
}

function retryAfter({ headers }: Response): number | null {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** Not every browser supports async iteration of a stream. */
async function* textChunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
