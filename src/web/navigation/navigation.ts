import type { RouterHistory } from '@tanstack/history';
import { createContext, use, useSyncExternalStore } from 'react';
import { type ListView, readListView, writeListView } from '#web/api/list-view.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import {
  type Address,
  type AddressOf,
  type Destination,
  readAddress,
  writeAddress,
} from './addresses.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** whoever comes here goes on in the form */
    readonly enters?: boolean;
  }
}

/** What the browser's line of addresses says. */
export interface Here {
  readonly address: Address;
  /** as it stands in the line, with its search and hash */
  readonly href: string;
  /** its path alone, percent-encoded */
  readonly path: string;
  /** names this visit: another comes with each change, and comes back with the browser's back */
  readonly visit: string | undefined;
  /** whoever came here goes on in the form */
  readonly enters: boolean;
}

interface Way {
  /** in the place of where one is, which the browser's back then passes over */
  readonly replace?: boolean;
  /** whoever comes there goes on in the form */
  readonly enters?: boolean;
}

/** Where one is, and the ways from there. */
export interface Navigation {
  /** changes at once; the page of it is shown when it is there */
  readonly here: Pick<Store<Here>, 'get' | 'subscribe'>;
  /** @param to an address, or the path of one as it stood in the line */
  readonly go: (to: Destination | string, way?: Way) => void;
  /**
   * Changes the view of a list, from what it is by then: what is done twice in a row goes on from itself. Nothing
   * where one has gone on from the list.
   */
  readonly changeView: (
    of: AddressOf<'archive' | 'table'>,
    change: (before: ListView) => ListView,
    way?: Pick<Way, 'replace'>,
  ) => void;
  /** fetches what a page begins with, as somebody may be about to go there */
  readonly prepare: (to: Destination) => void;
}

/** @param arrive told of each way, also of one that leads to where one is */
export function createNavigation(
  history: RouterHistory,
  { arrive, prepare }: Pick<Navigation, 'prepare'> & { readonly arrive: (here: Here) => void },
): Navigation {
  const here = createStore(read(history, undefined));
  history.subscribe(() => {
    here.set(read(history, here.get()));
    arrive(here.get());
  });
  const go: Navigation['go'] = (to, { replace = false, enters = false } = {}) => {
    const href = typeof to === 'string' ? to : writeAddress(to);
    const now = here.get();
    if (href === now.href && enters === now.enters) return arrive(now);
    history[replace ? 'replace' : 'push'](href, enters ? { enters } : {});
  };
  return {
    here,
    go,
    prepare,
    changeView: (of, change, way) => {
      const { address } = here.get();
      if (!isSameList(address, of)) return;
      go({ ...address, search: writeListView(change(readListView(address.search))) }, way);
    },
  };
}

function isSameList(
  one: Address,
  other: AddressOf<'archive' | 'table'>,
): one is AddressOf<'archive' | 'table'> {
  return one.page === 'archive'
    ? other.page === 'archive' && one.archive === other.archive
    : one.page === 'table' && other.page === 'table' && one.guid === other.guid;
}

function read(history: RouterHistory, before: Here | undefined): Here {
  const { href, pathname, search, state } = history.location;
  return {
    // The same object as long as it says the same.
    address: before?.href === href ? before.address : readAddress(pathname, search),
    href,
    path: pathname,
    visit: state.__TSR_key,
    enters: state.enters === true,
  };
}

const Given = createContext<Navigation | null>(null);

/** Stands around all that leads elsewhere. */
export const NavigationProvider = Given.Provider;

/** The ways from here to other pages. */
export function useNavigation(): Navigation {
  const navigation = use(Given);
  if (!navigation) throw new Error('useNavigation is for components within NavigationProvider.');
  return navigation;
}

/** Something of where one is, as a plain value; the component is drawn when that changes. */
export function useHere<T extends string | boolean | undefined>(select: (here: Here) => T): T {
  const { here } = useNavigation();
  return useSyncExternalStore(here.subscribe, () => select(here.get()));
}
