import * as texts from '#messages/service/http.ts';
import { ApiError } from '#shared/contract/errors.ts';

/** The context of a read: its client, user and limits. */
export interface ReadContext {
  /** aborted when the client no longer waits for the answer */
  readonly signal?: AbortSignal;
  /** the user, once known: query slots are shared fairly between users */
  readonly owner?: () => number | undefined;
  /** background work, which no client waits for: it may take as long as it needs */
  readonly isBackground?: boolean;
}

/** The limits of one query. */
export interface QueryLimits {
  /** milliseconds until a query is cancelled, queueing included; restarted when its thread has started; undefined: no limit */
  readonly query?: number | undefined;
  /** the size in bytes from which long reads of a SQLite database run in read workers; 1 MiB by default */
  readonly workersFrom?: number | undefined;
}

/** Cancels one query when its client disconnects or its time limit expires, whichever comes first. */
export class QueryCancellation {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal | undefined;
  /** in milliseconds */
  readonly #limit: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** from which its time is counted */
  #start: Promise<unknown> | null = null;
  #hasEnded = false;
  readonly #leave = () => this.#controller.abort(clientDisconnected());

  constructor({ signal, isBackground = false }: ReadContext, { query }: QueryLimits) {
    this.#client = signal;
    if (signal?.aborted) this.#leave();
    signal?.addEventListener('abort', this.#leave, { once: true });
    this.#limit = isBackground ? undefined : query;
    this.#startTimer();
  }

  /** aborted with the error that answers the query */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Stops the time limit, and restarts it when a promise is fulfilled, such as that of the start of the thread that runs the
   * query. Of several, the last counts.
   */
  async countFrom(start: Promise<unknown>): Promise<void> {
    clearTimeout(this.#timer);
    this.#start = start;
    await start;
    if (this.#start === start && !this.#hasEnded) this.#startTimer();
  }

  /** To be called when the query has ended. */
  dispose(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#client?.removeEventListener('abort', this.#leave);
  }

  #startTimer(): void {
    const limit = this.#limit;
    if (limit === undefined) return;
    this.#timer = setTimeout(() => this.#controller.abort(tookTooLong(limit)), limit).unref();
  }
}

function tookTooLong(query: number): ApiError {
  return new ApiError('unavailable', texts.readTooLong({ seconds: query / 1000 }));
}

/**
 * The error of a request whose client has disconnected before its answer. No client receives it; because of the header
 * it is not logged as a failure of the service.
 */
export function clientDisconnected(): ApiError {
  return new ApiError('unavailable', texts.connectionClosed, { retryAfter: 1 });
}
