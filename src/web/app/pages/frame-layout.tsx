import { useQueryClient } from '@tanstack/react-query';
import {
  Outlet,
  rootRouteId,
  useMatches,
  useRouteContext,
  useRouter,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { peopleQuery } from '#web/api/display-names.queries.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { SessionProvider } from '#web/api/session.queries.ts';
import { prefetchStorageKey, withholdStorageKey } from '#web/api/storage-key.ts';
import { Frame } from '#web/features/frame/frame.tsx';
import { SignInAgain } from '#web/features/sign-in/sign-in-again.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Notices } from '#web/ui/notices.tsx';
import { useIdlePrefetch } from '../idle-prefetch.ts';
import { useLiveChanges } from '../live-changes.ts';
import { signInAddress } from '../sign-in-address.ts';
import classes from './frame-layout.module.css';

const SeenAsBar = lazyComponent(
  async () => (await import('#web/features/frame/seen-as-bar.tsx')).SeenAsBar,
);

/** The frame around every page of a signed-in user. */
export function FrameLayout() {
  const router = useRouter();
  const session = useRouteContext({ from: rootRouteId, select: (context) => context.session });
  const isFullWindow = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.isFullWindow),
  });
  const { username, seenBy } = session;
  const client = useQueryClient();
  // An administrator who views the service as another user stores nothing for this user, and does not get the key.
  useEffect(() => {
    (seenBy === undefined ? prefetchStorageKey : withholdStorageKey)(username);
  }, [username, seenBy]);
  useEffect(() => void client.prefetchQuery(peopleQuery), [client]);
  useLiveChanges(session);
  useIdlePrefetch();
  // Loads a new document, so that neither data nor the storage key remains in this one's memory.
  const leave = (next?: string) => location.assign(signInAddress(next));
  const signedOut = () =>
    session.providerSignOut ? location.assign(apiPaths.providerSignOut()) : leave();
  return (
    <>
      <SessionProvider value={session}>
        <div className={classes.window} data-seen-as={seenBy}>
          {seenBy !== undefined && <SeenAsBar />}
          {isFullWindow ? (
            <main className={classes.alone}>
              <Outlet />
            </main>
          ) : (
            <Frame onSignedOut={signedOut}>
              <Outlet />
            </Frame>
          )}
        </div>
      </SessionProvider>
      {/* Not of this session: also an administrator who sees as another user may sign in again. */}
      <SignInAgain
        onGiveUp={() => leave(router.latestLocation.href)}
        onContinueAsOther={() => location.assign('/')}
      />
      <Notices />
    </>
  );
}
