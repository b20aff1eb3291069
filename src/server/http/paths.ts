import type { FastifyRequest } from 'fastify';

/** The base path of the interface (docs/interface/decisions.md, section 1). */
export const BASE = '/api/rest/v2/';

/** The path segments that installations can name. */
export interface Modules {
  readonly archiveModule: string;
  readonly dataModule: string;
}

/** A route's path with the module segments filled in, below the base path. */
export function fillModules(path: string, { archiveModule, dataModule }: Modules): string {
  return path
    .replace('{archives}', `application/${archiveModule}/archives`)
    .replace('{tables}', `application/${dataModule}/tables`);
}

/** The path of a request's address, without doubled and trailing slashes, still percent-encoded. */
export function pathOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '');
  return `/${path.split('/').filter(Boolean).join('/')}`;
}

/** The method and route of a call as the history has them; null: no call of the interface. */
export function callOf({
  method,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'routeOptions'>): string | null {
  const pattern = routeOptions.config.call?.pattern;
  return pattern === undefined ? null : `${method} ${pattern.slice(BASE.length)}`;
}

/** Whether a path belongs to the interface; all others belong to the web admin. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Whether a path of the interface has another version segment. */
export function hasUnknownVersion(path: string): boolean {
  const [, api, rest, version] = path.split('/');
  return api === 'api' && rest === 'rest' && version !== undefined && version !== 'v2';
}

/** Decodes percent-encoding; undefined if it is malformed or not UTF-8. */
export function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
