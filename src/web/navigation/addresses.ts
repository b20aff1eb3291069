import type { RawSearch } from '#web/api/list-view.ts';

/** What an address of the web admin names; what it holds beside that is left out. */
export type Address =
  | { readonly page: 'start' }
  | {
      readonly page: 'sign-in';
      /** the path to go on to, as somebody has written it: `ownPath` */
      readonly next?: string;
    }
  | { readonly page: 'archive'; readonly archive: string; readonly search: RawSearch }
  | { readonly page: 'queue'; readonly archive: string; readonly queueId: string }
  /** the documents in a window of their own */
  | { readonly page: 'document'; readonly archive: string }
  | { readonly page: 'table'; readonly guid: string; readonly search: RawSearch }
  /** no page is there */
  | { readonly page: 'nowhere' };

/** The address of one kind of page. */
export type AddressOf<P extends Address['page']> = Extract<Address, { page: P }>;

/** Where one can lead to: to a list without a view of it as well. */
export type Destination =
  | Exclude<Address, AddressOf<'archive' | 'table' | 'nowhere'>>
  | { readonly page: 'archive'; readonly archive: string; readonly search?: RawSearch }
  | { readonly page: 'table'; readonly guid: string; readonly search?: RawSearch };

/** Reads an address. @param path percent-encoded. @param search with its `?`, or '' */
export function readAddress(path: string, search: string): Address {
  const parts = partsOf(path);
  const [, id = '', , queueId = ''] = parts;
  // Words and names take turns.
  const shape = parts.map((part, at) => (at % 2 === 1 && part !== '' ? '*' : part.toLowerCase()));
  switch (shape.join('/')) {
    case '':
      return { page: 'start' };
    case 'sign-in': {
      const { next } = parseSearch(search);
      return { page: 'sign-in', ...(next === undefined ? {} : { next }) };
    }
    case 'archives/*':
      return { page: 'archive', archive: id, search: parseSearch(search) };
    case 'archives/*/queue/*':
      return { page: 'queue', archive: id, queueId };
    case 'archives/*/document':
      return { page: 'document', archive: id };
    case 'tables/*':
      return { page: 'table', guid: id, search: parseSearch(search) };
    default:
      return { page: 'nowhere' };
  }
}

/** Writes an address, its path percent-encoded, with its search; `readAddress` reads it back. */
export function writeAddress(to: Destination): string {
  switch (to.page) {
    case 'start':
      return '/';
    case 'sign-in':
      return `/sign-in${stringifySearch(to.next === undefined ? {} : { next: to.next })}`;
    case 'archive':
      return `/archives/${encodeURIComponent(to.archive)}${stringifySearch(to.search ?? {})}`;
    case 'queue':
      return `/archives/${encodeURIComponent(to.archive)}/queue/${encodeURIComponent(to.queueId)}`;
    case 'document':
      return `/archives/${encodeURIComponent(to.archive)}/document`;
    case 'table':
      return `/tables/${encodeURIComponent(to.guid)}${stringifySearch(to.search ?? {})}`;
    default:
      return to satisfies never;
  }
}

/**
 * Searches of addresses are plain texts: `?q=0012` stays `0012`, and people can read and write them.
 */
export function parseSearch(search: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes a search; brackets and commas, which addresses may hold, stay readable. */
export function stringifySearch(search: RawSearch): string {
  const written = new URLSearchParams(search)
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

/** The parts between the slashes as they are called; one slash more at the end says nothing. */
function partsOf(path: string): readonly string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decoded);
}

/** A path, or a part of it, as people write it; as it stands where it is encoded by no rule. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
