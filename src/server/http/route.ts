import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type * as z from 'zod';
import type { RangedBytes } from './byte-range.ts';
import type { DescribedParameter } from './openapi/query-parameters.ts';
import type { JsonBytes } from './encodings.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import type { Access, Role, TokenScope } from '#shared/rules/rights.ts';

/** Where a request came from. */
export interface Client {
  /** the client's address, as far as proxies are trusted */
  readonly address: string;
  /** whether it, or another one of its address, has had a valid session since the process began */
  readonly isKnown: boolean;
  /** whether it came over https, as far as proxies are trusted */
  readonly secure: boolean;
  /** whether it came from this machine itself: from the loopback address, without a header that a proxy adds */
  readonly isLocal: boolean;
  /** the host and port that it asked for, as far as proxies are trusted */
  readonly host: string;
  /** its `User-Agent`, shortened; null: it sent none */
  readonly userAgent: string | null;
  /** whether its headers are a browser's */
  readonly browser: boolean;
  /** whether its browser says that a page of another site has led to this address */
  readonly isFromOtherSite: boolean;
  /** whether it takes answers with gzip */
  readonly takesGzip: boolean;
  readonly cookies: ReadonlyMap<string, string>;
}

/** The user on whose session or token a request came. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** of the session, or of the token */
  readonly sessionId: string;
  /** what the token may do at most; null: a session */
  readonly scope: TokenScope | null;
  /** the client's address, as far as proxies are trusted */
  readonly address: string;
  /** the administrator whose session sees as the user; null: it is the user's own session */
  readonly viewer: { readonly userId: number; readonly username: string } | null;
}

/** Which archive or table a route is about, and the right it needs there. */
export interface Targets {
  none: null;
  archive: Archive;
  table: Table;
}

export interface RouteRequest<Target extends keyof Targets, Body> {
  readonly caller: Caller;
  readonly client: Client;
  /** method and route as history names them, e.g. `PATCH application/archiveapp/archives/:archive/indexdata` */
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  /** the query string's parameters, decoded, in their order */
  readonly query: readonly (readonly [string, string])[];
  readonly body: Body;
  readonly ifMatch: string | null;
  /** of server-sent events: where a client was that comes back */
  readonly lastEventId: string | null;
  readonly target: Targets[Target];
  /** the caller's right there; `manage` for routes without a target */
  readonly access: Access;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  /** where it is not the route's own */
  readonly status?: number;
  /** sent as JSON */
  readonly body?: unknown;
  /**
   * stored instead of `body` for an idempotency key, and given to a repeated request: where `body` holds a secret that is
   * shown once
   */
  readonly bodyAgain?: unknown;
  /** sent instead of `body`: it is written already */
  readonly json?: string | JsonBytes;
  /**
   * writes the JSON that is sent instead of `body`, of calls that write: after the transaction, unless an idempotency
   * key needs it before
   */
  readonly text?: () => Promise<string>;
  readonly headers?: AnswerHeaders;
  /** the records whose values `body` holds, in its order: for an idempotency key their large texts are not stored again */
  readonly records?: readonly StoredRecord[];
  /** sent as it is, instead of `body`; a function is asked for it once the snapshot is left */
  readonly stream?: Readable | Buffer | (() => Promise<Readable>);
  /** sent instead of `body`, whole or the part that was asked for */
  readonly bytes?: RangedBytes;
}

/** The media type of a form whose names and values are encoded as in a query. */
export const URL_ENCODED = 'application/x-www-form-urlencoded';

/** What describes every kind of route. */
export interface RouteDescription<Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** below the base path; `{archives}` and `{tables}` stand for the module segments */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** `none`: any query parameter is unknown (400); `own`: the handler reads them and refuses what it does not know */
  readonly query: 'none' | 'own';
  /** documents the parameters of an `own` query: name → what it does */
  readonly parameters?: Readonly<Record<string, string | DescribedParameter>>;
  /** null: the call takes no body, one that takes `undefined`: it may take none; `formBody` of form.ts: a multipart form */
  readonly body: z.ZodType<Body> | null;
  /** of a body that is not JSON: the names and values of a form */
  readonly mediaType?: typeof URL_ENCODED;
  /** documents the parts of a multipart form, as JSON Schema */
  readonly form?: Readonly<Record<string, unknown>>;
  /** the answer's shape, for the documentation; null: no content; `bytes`: a file; `events`: server-sent ones */
  readonly answer: z.core.$ZodType | 'bytes' | 'events' | null;
  readonly status: 200 | 201 | 202 | 204 | 302;
  /** the shapes of answers with another status of success, for the documentation */
  readonly otherAnswers?: Readonly<Record<number, z.core.$ZodType>>;
  /** the statuses of errors that most calls do not answer, for the documentation */
  readonly errors?: readonly (428 | 429)[];
  /** `heavy`: it keeps the process or the database busy, as an export does; `stream`: its answer has no end */
  readonly cost?: 'heavy' | 'stream';
  /** whether it is served to a user who first has to change a generated password */
  readonly isBeforePasswordChange?: true;
  /** whether it is served to an administrator who sees as another user, although it writes */
  readonly isInView?: true;
  /** whether it is served to a user who first has to set up a second factor, as is all that comes before a change of the password */
  readonly isBeforeEnrolment?: true;
}

interface Targeted<Target extends keyof Targets> {
  /** `archive`: named by the parameter `:archive`; `table`: named by `:guid` */
  readonly target: Target;
  /** the right needed on the target */
  readonly access: Access;
  /** whether only administrators may call it */
  readonly isForAdministrators?: true;
  /** whether it is about sign-in, sessions or tokens, so that tokens do not open it */
  readonly isAboutAccount?: true;
}

/**
 * One call of the interface. Registered by `registerRoutes`, which answers the errors in the decided order
 * (docs/interface/decisions.md, section 3), parses the body, opens the transaction, keeps idempotency keys and
 * documents the call.
 */
export interface Route<Target extends keyof Targets, Body>
  extends RouteDescription<Body>, Targeted<Target> {
  /** `read`: `handle` gets one snapshot; `write`: one transaction, run again on a conflict of transactions, so without effects elsewhere */
  readonly mode: 'read' | 'write';
  /** `none`: an `Idempotency-Key` is ignored; else it is obeyed by routes that write */
  readonly idempotency?: 'none';
  handle(db: Transaction, request: RouteRequest<Target, Body>): Promise<Answer>;
  /**
   * Calls that write, where `handle` takes long: does on a snapshot what needs no transaction, as others' saves wait for
   * each transaction on SQLite.
   * @returns what is then done in the transaction in the place of `handle`, and may throw `PlanOutdated`; null where
   *   nothing is gained
   */
  plan?(
    db: Transaction,
    request: RouteRequest<Target, Body>,
  ): Promise<WriteStep<Target, Body> | null>;
  /** whether `plan` is worth a snapshot for a body */
  isLarge?(body: Body): boolean;
}

export type WriteStep<Target extends keyof Targets, Body> = (
  db: Transaction,
  request: RouteRequest<Target, Body>,
) => Promise<Answer>;

/** The data of a plan has changed since, and nothing is written yet: the call has to be planned again. */
export class PlanOutdated extends Error {
  override readonly name = 'PlanOutdated';
}

/**
 * A call that writes and first has work to do that belongs into no transaction: hashing a password, moving
 * files. `prepare` returns what is then done in the transaction.
 */
export interface PreparedRoute<Target extends keyof Targets, Body>
  extends RouteDescription<Body>, Targeted<Target> {
  /** `secret`: the body holds a password, so that only a slow digest of it may be stored for idempotency */
  readonly idempotency?: 'secret' | 'none';
  /**
   * Not called where an answer is given again. What depends on the database's state is best refused within
   * the transaction, where a repeated request has already been recognised.
   */
  prepare(
    database: Database,
    request: RouteRequest<Target, Body>,
  ): Promise<(db: Transaction) => Promise<Answer>>;
}

export interface PublicRequest<Body> {
  readonly client: Client;
  /** the query string's parameters, decoded, in their order */
  readonly query: readonly (readonly [string, string])[];
  /** the query string as it was sent, with its question mark; '' where there is none */
  readonly search: string;
  /** aborted when the client closes the connection before it is answered */
  readonly signal: AbortSignal;
  /** names the request in each line */
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** method and route as history names them */
  readonly call: string;
  readonly body: Body;
}

/** A call that needs no session: signing in. It opens its own transactions. */
export interface PublicRoute<Body> extends RouteDescription<Body> {
  /** the title of the page on which a browser shows an error to a person; undefined: errors are JSON */
  readonly errorPage?: string;
  handle(database: Database, request: PublicRequest<Body>): Promise<Answer>;
}

/** Any route, whatever its target and body. */
export type AnyRoute = { register(registrar: Registrar): void };

/** Takes routes with their types intact. */
export interface Registrar {
  add<Target extends keyof Targets, Body>(route: Route<Target, Body>): void;
  addPrepared<Target extends keyof Targets, Body>(route: PreparedRoute<Target, Body>): void;
  addPublic<Body>(route: PublicRoute<Body>): void;
}

/** Declares a route; the types of `handle` follow from `target` and `body`. */
export function defineRoute<Target extends keyof Targets, Body = null>(
  route: Route<Target, Body>,
): AnyRoute {
  return { register: (registrar) => registrar.add(route) };
}

/** A call that reads and takes no body: what it has in common with all such calls is filled in. */
type ReadRoute<Target extends keyof Targets> = Omit<
  Route<Target, null>,
  'method' | 'access' | 'query' | 'body' | 'status' | 'mode'
>;

/** Declares a GET route; its query is its own where `parameters` are documented. */
export function defineRead<Target extends keyof Targets>(route: ReadRoute<Target>): AnyRoute {
  return defineRoute<Target>({
    method: 'GET',
    access: 'read',
    query: route.parameters ? 'own' : 'none',
    body: null,
    status: 200,
    mode: 'read',
    ...route,
  });
}

/** Declares a route with work outside its transaction. */
export function definePreparedRoute<Target extends keyof Targets, Body = null>(
  route: PreparedRoute<Target, Body>,
): AnyRoute {
  return { register: (registrar) => registrar.addPrepared(route) };
}

/** Declares a route that needs no session. */
export function definePublicRoute<Body = null>(route: PublicRoute<Body>): AnyRoute {
  return { register: (registrar) => registrar.addPublic(route) };
}
