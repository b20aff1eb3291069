import * as texts from '#messages/service/http.ts';
import { ApiError } from '#shared/contract/errors.ts';

/** On whose behalf something is read. */
export interface ReadContext {
  /** aborted when nobody waits for the answer any more */
  readonly signal?: AbortSignal;
  /** the user, as soon as it is known: the slots of queries are shared fairly between users */
  readonly owner?: () => number | undefined;
  /** of work in the background, for which nobody waits: it may take as long as it needs */
  readonly isBackground?: boolean;
}

/** What one query may take. */
export interface QueryLimits {
  /** milliseconds until a query is cancelled, the wait for its turn included; undefined: as long as it takes */
  readonly query?: number | undefined;
}

/** The end of one query: when its client leaves or its time is over, whichever comes first. */
export class QueryEnd {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #leave = () => this.#controller.abort(clientLeft());

  constructor({ signal, isBackground = false }: ReadContext, { query }: QueryLimits) {
    this.#client = signal;
    if (signal?.aborted) this.#leave();
    signal?.addEventListener('abort', this.#leave, { once: true });
    if (query !== undefined && !isBackground) {
      this.#timer = setTimeout(() => this.#controller.abort(tookTooLong(query)), query).unref();
    }
  }

  /** aborted with the error that the query is answered with */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** To be called when the query has ended. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#client?.removeEventListener('abort', this.#leave);
  }
}

function tookTooLong(query: number): ApiError {
  return new ApiError('unavailable', texts.readTooLong({ seconds: query / 1000 }));
}

/** Nobody reads it; with the header it is not logged as a failure of the service. */
function clientLeft(): ApiError {
  return new ApiError('unavailable', texts.connectionClosed, {
    headers: { 'retry-after': '1' },
  });
}
