import { stringifySearch } from '#web/api/address-search.ts';

/** The address of the sign-in screen. @param next the address to open afterwards, of this origin, with its search */
export function signInAddress(next = '/'): string {
  return `/sign-in${stringifySearch(next === '/' ? {} : { next })}`;
}

/** Parses the search of that address: `next` may have been manipulated; open `ownPath(next)`. */
export function readNext({ next }: Readonly<Record<string, unknown>>): { readonly next?: string } {
  return typeof next === 'string' ? { next } : {};
}

/** Where to continue after signing in: only a path of this origin, never another site. */
export function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
