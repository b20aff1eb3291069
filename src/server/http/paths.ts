/** The base path of the interface (docs/interface/decisions.md, section 1). */
export const BASE = '/api/rest/v2/';

/** The segments that installations name differently. */
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
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`;
}

/** Whether a path is the interface's; all others are the web admin's. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Whether a path of the interface has another version segment. */
export function hasUnknownVersion(path: string): boolean {
  const [, api, rest, version] = path.split('/');
  return api === 'api' && rest === 'rest' && version !== undefined && version !== 'v2';
}

/** The parameters of a path where it has the form of a pattern such as `/a/:b`; undefined where not. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = decodePart(given[i] ?? '');
    if (value === undefined) return undefined;
    if (segment.startsWith(':')) params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

/** Whether a pattern reserves a segment that another one takes as a parameter: `/a/count` does of `/a/:b`. */
export function isMoreSpecific(pattern: string, than: string): boolean {
  const segments = pattern.split('/');
  const others = than.split('/');
  return (
    pattern !== than &&
    segments.length === others.length &&
    others.every((other, i) => other.startsWith(':') || other === segments[i])
  );
}

/** Decodes percent-encoding; undefined where it is broken or no UTF-8. */
export function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
