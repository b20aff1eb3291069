import * as z from 'zod/mini';
import type { CodedMessage, Message, MessagesByPath } from '../messages/message.ts';
import type { SecondFactorPrompt } from './factors.ts';

/** The error codes and their statuses (docs/interface/decisions.md, section 3). */
export const ERROR_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  forbidden: 403,
  cross_site: 403,
  password_change_required: 403,
  second_factor_enrolment_required: 403,
  confirmation_required: 403,
  not_found: 404,
  unknown_version: 404,
  method_not_allowed: 405,
  conflict: 409,
  other_session: 409,
  definition_conflict: 409,
  changed_meanwhile: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  validation_failed: 422,
  precondition_required: 428,
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Messages by path; `-` is for what belongs to no field (the other keys: docs/interface/decisions.md, section 3). */
export type ErrorMessages = Record<string, string[]>;

/** A message for programs: one for each message in `errors`, in the same order. */
const errorDetailSchema = z.object({
  /** the key in `errors` */
  path: z.string(),
  /** the message's name in the catalogue, such as `values.required`; it does not change */
  code: z.string(),
  /** the parameters of the message */
  params: z.record(z.string(), z.unknown()),
});
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

export const errorBodySchema = z.object({
  code: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
  details: z.array(errorDetailSchema),
  requestId: z.string(),
  /** with `changed_meanwhile`: the current object, or an object of them by id */
  current: z.optional(z.unknown()),
  /** with `definition_conflict`: the plan of the refused change */
  plan: z.optional(z.unknown()),
  /** with `second_factor_required`: the factors that the user has, … */
  factors: z.optional(z.array(z.enum(['totp', 'passkey']))),
  challenge: z.optional(z.string()),
  /** … and if one is a passkey, the options of `navigator.credentials.get` */
  publicKey: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

interface ApiErrorOptions {
  /** the current object, or objects by id, of a `changed_meanwhile` */
  readonly current?: unknown;
  /** the plan of a `definition_conflict` */
  readonly plan?: unknown;
  /** the second step of a `second_factor_required` */
  readonly secondFactor?: SecondFactorPrompt | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** seconds until the client should try again */
  readonly retryAfter?: number;
  /** for the log */
  readonly cause?: unknown;
  /** if it is not the code's usual status, as for a body that arrived too slowly (408) */
  readonly status?: number;
}

/** An error answer, thrown anywhere in the server and sent by its one error handler. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly messages: Readonly<Record<string, readonly Message[]>>;
  readonly current: unknown;
  readonly plan: unknown;
  readonly secondFactor: SecondFactorPrompt | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** @param given messages by path, or one that belongs to no field */
  constructor(
    code: ErrorCode,
    given: Message | Readonly<Record<string, readonly Message[]>>,
    options: ApiErrorOptions = {},
  ) {
    const messages = isOne(given) ? { '-': [given] } : given;
    super(
      Object.values(messages)
        .flat()
        .map(({ message }) => message)
        .join(' '),
      options,
    );
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.messages = messages;
    this.current = options.current;
    this.plan = options.plan;
    this.secondFactor = options.secondFactor;
    const { retryAfter, headers = {} } = options;
    this.headers = retryAfter === undefined ? headers : { 'retry-after': String(retryAfter) };
  }
}

function isOne(given: Message | Readonly<Record<string, readonly Message[]>>): given is Message {
  return typeof given['code'] === 'string';
}

/** The texts of messages by path, as they are answered under `errors`. */
export function textsOf(messages: Readonly<Record<string, readonly Message[]>>): ErrorMessages {
  return Object.fromEntries(
    Object.entries(messages).map(([path, list]) => [path, list.map(({ message }) => message)]),
  );
}

/** The codes and parameters of messages by path, as they are answered under `details`. */
export function detailsOf(messages: Readonly<Record<string, readonly Message[]>>): ErrorDetail[] {
  return Object.entries(messages).flatMap(([path, list]) =>
    list.map(({ code, params }: CodedMessage) => ({ path, code, params })),
  );
}

/**
 * The order of precedence when entries have different errors: the first kind present sets the status
 * (docs/interface/decisions.md, section 3).
 */
const PRECEDENCE = [
  'not_found',
  'locked',
  'changed_meanwhile',
  'forbidden',
  'validation_failed',
  'conflict',
] as const;
type EntryErrorCode = (typeof PRECEDENCE)[number];

/** Collects the errors of all entries of a request, to report them together. */
export class EntryErrors {
  readonly #codes = new Set<EntryErrorCode>();
  readonly #messages: MessagesByPath = {};
  readonly #current: Record<string, unknown> = {};

  /** @param invalid the errors that were found */
  constructor(invalid: Readonly<MessagesByPath> = {}) {
    this.addAll('validation_failed', invalid);
  }

  add(code: EntryErrorCode, path: string, message: Message): void {
    this.#codes.add(code);
    if (Object.hasOwn(this.#messages, path)) this.#messages[path]?.push(message);
    else {
      // A client may name a path __proto__; it must become a key like any other.
      Object.defineProperty(this.#messages, path, { value: [message], enumerable: true });
    }
  }

  /** @param messages by path */
  addAll(code: EntryErrorCode, messages: Readonly<Record<string, readonly Message[]>>): void {
    for (const [path, added] of Object.entries(messages)) {
      for (const message of added) this.add(code, path, message);
    }
  }

  /**
   * Adds the errors that work throws; others than those of entries are thrown on.
   * @returns the result of work; undefined: it has thrown errors
   */
  async collect<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const code =
        error instanceof ApiError && PRECEDENCE.find((candidate) => candidate === error.code);
      if (!code) throw error;
      this.addAll(code, error.messages);
      if (error.current !== undefined) this.addCurrent('', error.current);
      return undefined;
    }
  }

  /** Adds the current object of an entry that was changed meanwhile. */
  addCurrent(id: string, current: unknown): void {
    this.#current[id] = current;
  }

  get any(): boolean {
    return this.#codes.size > 0;
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#messages, path);
  }

  /** the added messages, by path */
  get messages(): Readonly<MessagesByPath> {
    return this.#messages;
  }

  /**
   * @param single whether the request is about one object, whose current state then stands alone under `current`
   * @throws {ApiError} if anything was added
   */
  throwIfAny(single: boolean): void {
    const code = PRECEDENCE.find((candidate) => this.#codes.has(candidate));
    if (!code) return;
    const current = single ? Object.values(this.#current)[0] : this.#current;
    throw new ApiError(code, this.#messages, code === 'changed_meanwhile' ? { current } : {});
  }
}
