import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { Db } from '#server/db/database.ts';
import type { Archive, Table } from '#server/modules/definitions/stored-definition.ts';
import type { Access, Role } from '#shared/rights.ts';

/** The user on whose session a request came. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly sessionId: string;
  /** the client's address, as far as proxies are trusted */
  readonly address: string;
}

/** Which archive or table a route is about, and the right it needs there. */
export interface Targets {
  none: null;
  archive: Archive;
  table: Table;
}

export interface RouteRequest<Target extends keyof Targets, Body> {
  readonly caller: Caller;
  /** method and route as history names them, e.g. `PATCH application/archiveapp/archives/:archive/indexdata` */
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  /** the query string's parameters, decoded, in their order */
  readonly query: readonly (readonly [string, string])[];
  readonly body: Body;
  readonly ifMatch: string | null;
  readonly target: Targets[Target];
  /** the caller's right there; `manage` for routes without a target */
  readonly access: Access;
}

export interface Answer {
  /** where it is not the route's own */
  readonly status?: number;
  /** sent as JSON */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** sent as it is, instead of `body` */
  readonly stream?: Readable | Buffer;
}

/**
 * One call of the interface. Registered by `registerRoutes`, which answers the errors in the decided order
 * (interface decisions, section 3), parses the body, opens the transaction, keeps idempotency keys and
 * documents the call.
 */
export interface Route<Target extends keyof Targets, Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** below the base path; `{archives}` and `{tables}` stand for the module segments */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly target: Target;
  /** the right needed on the target */
  readonly access: Access;
  /** `none`: any query parameter is unknown (400); `own`: the handler reads them and refuses what it does not know */
  readonly query: 'none' | 'own';
  /** documents the parameters of an `own` query: name → what it does */
  readonly parameters?: Readonly<Record<string, string>>;
  /** null: the call takes no body */
  readonly body: z.ZodType<Body> | null;
  /** the answer's shape, for the documentation; null: no content; `bytes`: a file */
  readonly answer: z.ZodType | 'bytes' | null;
  readonly status: 200 | 201 | 204;
  /** `read`: `handle` gets one snapshot; `write`: one transaction, run again on a conflict of transactions, so without effects elsewhere */
  readonly mode: 'read' | 'write';
  handle(db: Db, request: RouteRequest<Target, Body>): Promise<Answer>;
}

/** Any route, whatever its target and body. */
export type AnyRoute = { register(registrar: Registrar): void };

/** Takes routes with their types intact. */
export interface Registrar {
  add<Target extends keyof Targets, Body>(route: Route<Target, Body>): void;
}

/** Declares a route; the types of `handle` follow from `target` and `body`. */
export function defineRoute<Target extends keyof Targets, Body = null>(
  route: Route<Target, Body>,
): AnyRoute {
  return { register: (registrar) => registrar.add(route) };
}
