import { newIdempotencyKey } from './request.ts';

/** The names of this tab since it was opened; a page takes a new one when it is loaded. */
const NAMES = 'indexdesk-tab-names';
const MAX_NAMES = 20;

/** The names of this tab since it was opened, as far as they are remembered; a copy of a tab begins with those of the first. */
export const namesOfTab = () => sessionStorage.getItem(NAMES)?.split(' ') ?? [];

let tab: Promise<string> | undefined;

/**
 * Names this page and holds a Web Lock of that name until it is closed. Rejects while the browser has no locks, as over
 * plain http.
 */
export function thisTab(): Promise<string> {
  if (tab) return tab;
  tab = (async () => {
    const name = newIdempotencyKey();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const hold = () => {
      sessionStorage.setItem(NAMES, [...namesOfTab(), name].slice(-MAX_NAMES).join(' '));
      resolve(name);
      return new Promise(() => undefined);
    };
    navigator.locks.request(tabLockName(name), hold).catch(reject);
    return promise;
  })();
  tab.catch(() => (tab = undefined));
  return tab;
}

/** Whether the page of that name is still open. */
export async function isTabOpen(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === tabLockName(name));
}

// The lock name of version 0.2, so that neither version takes over edits of the other in another tab.
export const tabLockName = (name: string) => `indexdesk-desk-${name}`;
