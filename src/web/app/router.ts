import { createBrowserHistory, type RouterHistory } from '@tanstack/history';
import type { QueryClient } from '@tanstack/react-query';
import { answers } from '#web/api/answers.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { isPreloadedResponseValid } from '#web/api/preloaded-responses.ts';
import { apiPaths } from '#web/api/paths.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { type OwnSession, sessionQuery } from '#web/api/session.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import { type Address, type Destination, ownPath } from '#web/navigation/addresses.ts';
import { createNavigation, type Here, type Navigation } from '#web/navigation/navigation.ts';
import { reloadWhenOutdated } from './loaded-page.tsx';
import { codeOf, FrameLayout } from './pages.tsx';

/** So long the page before stays while the next one is coming, in milliseconds. */
const PENDING_AFTER = 250;

/** What stands on the screen. */
export interface Shown {
  readonly here: Here;
  /** around whose page the frame stands; null: there is no frame */
  readonly session: OwnSession | null;
  readonly is: 'coming' | 'page' | { readonly error: unknown };
}

/** The router of one page load, with a cache of its own. */
export interface AppRouter {
  readonly queryClient: QueryClient;
  readonly navigation: Navigation;
  /** null: nothing yet */
  readonly shown: Pick<Store<Shown | null>, 'get' | 'subscribe'>;
  /** shows the page where one is anew, after an error */
  readonly again: () => void;
}

/** @param history tests give one in memory */
export function createAppRouter(history: RouterHistory = createBrowserHistory()): AppRouter {
  const queryClient = createQueryClient();
  const shown = createStore<Shown | null>(null);
  const navigation = createNavigation(history, { arrive: (here) => void arrive(here), prepare });
  let latest: symbol | undefined;

  /** Shows a page once all that it needs is there: at once, where it is. The page before stays for a moment. */
  async function arrive(here: Here): Promise<void> {
    const mine = Symbol('arrival');
    latest = mine;
    const isLeft = () => latest !== mine;
    let session = queryClient.getQueryData(sessionQuery.queryKey);
    let late = shown.get()?.is === 'coming';
    const show = (is: Shown['is']) => {
      const framed = session && codeOf(here.address).includes(FrameLayout) && FrameLayout.here();
      shown.set({ here, session: framed ? (session ?? null) : null, is });
    };
    const timer = setTimeout(() => {
      if (isLeft()) return;
      late = true;
      show('coming');
    }, PENDING_AFTER);
    try {
      if (session === undefined) {
        session = await queryClient.ensureQueryData(sessionQuery);
        if (isLeft()) return;
      }
      const elsewhere = insteadOf(here, session);
      if (elsewhere !== undefined) {
        navigation.go(elsewhere, { replace: true });
        return;
      }
      const before = shown.get();
      if (before?.is !== 'page' || before.here.path !== here.path) read(here.address, session);
      // Without a session there is no frame, and the sign-in page came with the first scripts.
      const code = session ? codeOf(here.address) : [];
      const missing = code.filter((part) => part.here() === undefined);
      const coming = missing.map((part) => part.fetch());
      void Promise.allSettled(coming);
      for (const one of coming) {
        // The frame may have come.
        if (late) show('coming');
        await one;
        if (isLeft()) return;
      }
      show('page');
    } catch (error) {
      if (!isLeft() && !reloadWhenOutdated(error)) show({ error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for what a page begins with. Not waited for: the page says itself that it is coming. */
  function read(to: Address | Destination, session: OwnSession | null | undefined): void {
    if (!session) return;
    if (to.page === 'archive') {
      void queryClient.prefetchQuery(archiveQuery(session.username, to.archive));
    }
    if (to.page === 'table') void queryClient.prefetchQuery(tableQuery(to.guid));
  }

  function prepare(to: Destination): void {
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (!session) return;
    read(to, session);
    void Promise.allSettled(codeOf(to).map((part) => part.fetch()));
  }

  void arrive(navigation.here.get());
  return { queryClient, navigation, shown, again: () => void arrive(navigation.here.get()) };
}

/** Where to go instead: who is signed in need not sign in, and who is not has to. */
function insteadOf(
  { address, href }: Here,
  session: OwnSession | null | undefined,
): Destination | string | undefined {
  switch (address.page) {
    case 'nowhere':
      return undefined;
    case 'sign-in':
      return session ? ownPath(address.next) : undefined;
    default:
      if (session) return undefined;
      return { page: 'sign-in', ...(href === '/' ? {} : { next: href }) };
  }
}

/**
 * Loads the parts of the page that the address names while the session is still being read: one after the other
 * they would be three round trips. Nothing where nobody is signed in, as the sign-in screen is shown then.
 */
export async function prefetchPages({ navigation }: AppRouter): Promise<void> {
  if (!(await isPreloadedResponseValid(apiPaths.sessions()))) return;
  const parts = codeOf(navigation.here.get().address).map((part) => part.fetch());
  // What cannot be loaded is asked for again, and told, where it is needed.
  await Promise.allSettled([answers(), ...parts]);
}
