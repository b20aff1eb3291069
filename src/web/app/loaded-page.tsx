import { type ComponentType, createElement, type ReactNode, use } from 'react';
import { type Part, part } from '#web/ui/lazy-module.ts';

/** A page whose code comes when it is wanted, or may soon be. */
export type LoadedPage<Props> = ((props: Props) => ReactNode) & Part<ComponentType<Props>>;

/** The router has its code fetched before it shows it, so that nothing has to stand in its place. */
export function loadedPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LoadedPage<Props> {
  const code = part(load);
  const Loaded = (props: Props) => createElement(code.here() ?? use(code.fetch()), props);
  return Object.assign(Loaded, code);
}

/** What browsers say of a script that is not there. */
const MISSING =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed)/;

/**
 * A script that is missing belongs to a former version: the page is reloaded, but once for each, as it
 * may as well be the network.
 * @returns whether it is being loaded anew
 */
export function reloadWhenOutdated(error: unknown): boolean {
  if (!(error instanceof Error && MISSING.test(error.message))) return false;
  try {
    const key = `indexdesk-missing:${error.message}`;
    if (sessionStorage.getItem(key) !== null) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    // Where storage is forbidden nothing would end this.
    return false;
  }
  location.reload();
  return true;
}
