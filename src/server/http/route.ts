import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type * as z from 'zod';
import type { RangedBytes } from './byte-range.ts';
import type { JsonBytes } from '../workers/json-bytes.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import type { Message } from '#shared/messages/message.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import type { Access, Role, TokenScope } from '#shared/rules/rights.ts';

/** JSON Schema of an id in a path or query, one digit shorter than the greatest: not all numbers of 16 digits are safe. */
export const ID_SCHEMA = { type: 'string', pattern: '^[1-9][0-9]{0,14}$' };

/** The description of a query parameter, and its schema if its name does not determine it. */
export interface DescribedParameter {
  readonly description: string;
  readonly schema: { readonly [key: string]: unknown };
  readonly required?: boolean;
}

/** The origin of a request. */
export interface Client {
  /** the client's address, according to trusted proxies */
  readonly address: string;
  /** whether it, or another one with its address, has had a valid session since the process started */
  readonly isKnown: boolean;
  /** whether it came over https, according to trusted proxies */
  readonly isSecure: boolean;
  /** whether it came from this machine: from the loopback address, without a header of a proxy */
  readonly isLocal: boolean;
  /** the requested host and port, according to trusted proxies */
  readonly host: string;
  /** its `User-Agent`, shortened; null: none was sent */
  readonly userAgent: string | null;
  /** whether its headers are those of a browser */
  readonly isBrowser: boolean;
  /** whether its browser reports that a page of another site led to this address */
  readonly isFromOtherSite: boolean;
  /** whether it accepts gzip */
  readonly acceptsGzip: boolean;
  readonly cookies: ReadonlyMap<string, string>;
}

/** The user of a request's session or token. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** of the session, or of the token */
  readonly sessionId: string;
  /** the limits of the token; null: a session */
  readonly scope: TokenScope | null;
  /** the client's address, according to trusted proxies */
  readonly address: string;
  /** the administrator whose session views the service as this user; null: the user's own session */
  readonly viewer: { readonly userId: number; readonly username: string } | null;
}

/** The kinds of targets of routes, and the right needed on them. */
export interface Targets {
  none: null;
  archive: Archive;
  table: Table;
}

/** The parameters of the path, decoded, by name. */
export type PathParams = Readonly<Record<string, string>>;

export interface RouteRequest<Target extends keyof Targets, Body> {
  readonly caller: Caller;
  readonly client: Client;
  /** method and route as in the history, e.g. `PATCH application/archiveapp/archives/:archive/indexdata` */
  readonly call: string;
  readonly params: PathParams;
  /** the query string's parameters, decoded, in their order */
  readonly query: QueryParameters;
  readonly body: Body;
  readonly ifMatch: string | null;
  /** of server-sent events: the position from which a returning client continues */
  readonly lastEventId: string | null;
  readonly target: Targets[Target];
  /** the caller's right on the target; `manage` for routes without a target */
  readonly access: Access;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Answer {
  /** if it differs from the route's */
  readonly status?: number;
  /** sent as JSON */
  readonly body?: unknown;
  /**
   * stored for an idempotency key instead of `body`, and returned for a repeated request: if `body` contains a secret
   * that is shown once
   */
  readonly repeatedBody?: unknown;
  /** sent instead of `body`: already serialized */
  readonly json?: string | JsonBytes;
  /**
   * serializes the JSON that is sent instead of `body`, for calls that write: after the transaction, unless an
   * idempotency key needs it before
   */
  readonly text?: () => Promise<string>;
  readonly headers?: AnswerHeaders;
  /**
   * the records whose values `body` contains, in its order: large texts of them are not stored again for an idempotency
   * key
   */
  readonly records?: readonly StoredRecord[];
  /**
   * sent unchanged instead of `body`. A function is called after the snapshot has ended, with a database whose reads
   * authorize the request again: they throw once its session has ended or the caller may see less
   */
  readonly stream?: Readable | Buffer | ((database: Database) => Promise<Readable>);
  /** sent instead of `body`, whole or the requested range */
  readonly bytes?: RangedBytes;
}

/** The media type of a form whose names and values are encoded as in a query. */
export const URL_ENCODED = 'application/x-www-form-urlencoded';

/** The common description of all kinds of routes. */
export interface RouteDescription<Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** below the base path; `{archives}` and `{tables}` are replaced by the module segments */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** the query parameters, which the handler parses: name → description; without it, any parameter is an error (400) */
  readonly parameters?: Readonly<Record<string, string | DescribedParameter>>;
  /** of calls with parameters and a body: reads the parameters before the body is checked. @throws {ApiError} 400 */
  readonly checkQuery?: (query: QueryParameters) => void;
  /**
   * of calls without a target whose path names an archive or a table: finds it before body and query are looked at, unless
   * an idempotency key may have an answer that is older. @throws {ApiError} 404
   */
  readonly checkPath?: (db: Transaction, params: PathParams, caller: Caller) => Promise<unknown>;
  /** without it: no body; a schema that accepts `undefined`: an optional body; `formBody` of form.ts: a multipart form */
  readonly body?: z.ZodType<Body>;
  /** of a body that is not JSON: a URL-encoded form */
  readonly mediaType?: typeof URL_ENCODED;
  /** documents the parts of a multipart form, as JSON Schema */
  readonly form?: Readonly<Record<string, unknown>>;
  /** the answer's schema, for the documentation; null: no content; `bytes`: a file; `events`: server-sent events */
  readonly answer: z.core.$ZodType | 'bytes' | 'events' | null;
  /** the media types of files that it may answer instead, for the documentation */
  readonly fileTypes?: readonly string[];
  /** by default 204 if there is no content, else 200 */
  readonly status?: 200 | 201 | 202 | 302;
  /** the schemas of answers with other success statuses, for the documentation */
  readonly otherAnswers?: Readonly<Record<number, z.core.$ZodType>>;
  /** the error statuses that most calls do not have, for the documentation */
  readonly errors?: readonly (428 | 429)[];
  /** `heavy`: it occupies the process or the database for long, as an export does; `stream`: its answer is endless */
  readonly cost?: 'heavy' | 'stream';
  /** whether users may call it who must change a generated password first */
  readonly isAllowedBeforePasswordChange?: true;
  /** whether administrators may call it while they view the service as another user, although it writes */
  readonly isAllowedInView?: true;
  /**
   * whether users may call it who must set up a second factor first, as they may call everything before a change of the
   * password
   */
  readonly isAllowedBeforeEnrolment?: true;
}

/** The status of successful answers, unless the answer has another one. */
export function statusOf({ status, answer }: RouteDescription<unknown>): number {
  return status ?? (answer === null ? 204 : 200);
}

/** The common part of calls of administrators. */
export const FOR_ADMINISTRATORS = { target: 'none', isForAdministrators: true } as const;

/** The common part of calls of users about their own account. */
export const FOR_OWN_ACCOUNT = { target: 'none', access: 'read', isAboutAccount: true } as const;

/** The same if the path names the account, as `:username`. @param refusal the 403 of any other user */
export function forOwnAccount(refusal: Message) {
  return { ...FOR_OWN_ACCOUNT, ownAccount: { refusal } };
}

/** Of calls whose `:username` must be the caller. */
export interface OwnAccount {
  /** the 403 of others */
  readonly refusal: Message;
  /** whether administrators may name any user */
  readonly isOpenToAdministrators?: true;
}

interface Targeted<Target extends keyof Targets> {
  /** `archive`: given by the parameter `:archive`; `table`: given by `:guid` */
  readonly target: Target;
  /** the right needed on the target */
  readonly access: Access;
  /** whether only administrators may call it */
  readonly isForAdministrators?: true;
  /** whether it concerns sign-in, sessions or tokens, so that tokens do not give access to it */
  readonly isAboutAccount?: true;
  /** of calls whose `:username` must be the caller */
  readonly ownAccount?: OwnAccount;
}

/**
 * One call of the interface. `app.addCalls` registers it (`request-pipeline.ts`): errors are answered in the decided order
 * (docs/interface/decisions.md, section 3), the body is parsed, the transaction opened, the answer stored for an
 * idempotency key, and the call described in the OpenAPI document.
 */
export interface Route<Target extends keyof Targets, Body>
  extends RouteDescription<Body>, Targeted<Target> {
  /** `none`: an `Idempotency-Key` is ignored; else routes that write respect it */
  readonly idempotency?: 'none';
  /** Of a GET, gets one snapshot; else one transaction, retried on conflicts, so without other side effects. */
  handle(db: Transaction, request: RouteRequest<Target, Body>): Promise<Answer>;
  /**
   * For calls that write and whose `handle` is slow: does the work that needs no transaction on a snapshot, because on
   * SQLite each transaction blocks other writes.
   * @returns a function for the transaction that replaces `handle`, and may throw `PlanOutdated`; null if planning
   * gains nothing
   */
  plan?(
    db: Transaction,
    request: RouteRequest<Target, Body>,
  ): Promise<WriteStep<Target, Body> | null>;
  /** whether the call may write so many records that other waiting writes go first, and that `plan` is worth a snapshot */
  isLarge?(body: Body): boolean;
}

export type WriteStep<Target extends keyof Targets, Body> = (
  db: Transaction,
  request: RouteRequest<Target, Body>,
) => Promise<Answer>;

/** The data of a plan has changed, and nothing is written yet: the call must be planned again. */
export class PlanOutdated extends Error {
  override readonly name = 'PlanOutdated';
}

/**
 * A call that writes, after work that must not run in a transaction: hashing a password, moving files. `prepare`
 * returns a function for the transaction.
 */
export interface PreparedRoute<Target extends keyof Targets, Body>
  extends RouteDescription<Body>, Targeted<Target> {
  /** `secret`: the body contains a password, so only a slow digest of it may be stored for idempotency */
  readonly idempotency?: 'secret' | 'none';
  /**
   * Not called if a stored answer is returned. Checks that depend on the database belong in the transaction, where a
   * repeated request has already been recognised.
   */
  prepare(
    database: Database,
    request: RouteRequest<Target, Body>,
  ): Promise<(db: Transaction) => Promise<Answer>>;
}

export interface PublicRequest<Body> {
  readonly client: Client;
  /** the query string's parameters, decoded, in their order */
  readonly query: QueryParameters;
  /** the query string as sent, with its question mark; '' if there is none */
  readonly search: string;
  /** aborted when the client disconnects before the answer */
  readonly signal: AbortSignal;
  /** adds the request id to each line */
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** method and route as in the history */
  readonly call: string;
  readonly body: Body;
}

/** A call without a session, such as signing in. It opens its own transactions. */
export interface PublicRoute<Body> extends RouteDescription<Body> {
  /** whether pages of other sites may call it: it neither reads nor sets a cookie */
  readonly isForAnySite?: true;
  /** the title of the page on which a browser shows an error to a person; undefined: errors are JSON */
  readonly errorPage?: string;
  handle(database: Database, request: PublicRequest<Body>): Promise<Answer>;
}

/** Any route, whatever its type parameters. */
export type AnyRoute = { register(registrar: Registrar): void };

/** Accepts routes with their type parameters. */
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

/** Declares a GET route. */
export function defineRead<Target extends keyof Targets>(
  route: Omit<Route<Target, null>, 'method' | 'access' | 'body'>,
): AnyRoute {
  return defineRoute<Target>({ method: 'GET', access: 'read', ...route });
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
