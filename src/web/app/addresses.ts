/**
 * Searches of addresses are plain texts: `?q=0012` stays `0012`, and people can read and write them.
 * (The router's own way would guess numbers and JSON.)
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes a search; brackets and commas, which addresses may hold, stay readable. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') parameters.append(name, value);
  }
  const written = parameters
    .toString()
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/');
  return written === '' ? '' : `?${written}`;
}

/** Where to go after signing in: only paths of this page, never another site. */
export function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
