import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Outlet, useMatch, useRouter } from '@tanstack/react-router';
import { endSession, forgetWhatWasRead, SessionProvider } from '#web/api/session.queries.ts';
import { Frame } from '#web/features/frame/frame.tsx';
import { SignInAgain } from '#web/features/sign-in/sign-in-again.tsx';
import { usePageColours } from '#web/ui/colour-scheme.ts';
import { Notices } from '#web/ui/notices.tsx';
import { useFetchAhead } from '../ahead.ts';
import { useLiveChanges } from '../live-changes.ts';
import classes from './frame-layout.module.css';

const route = getRouteApi('/frame');

/** The frame around every page of a signed-in user. */
export function FrameLayout() {
  const router = useRouter();
  const client = useQueryClient();
  const { session } = route.useRouteContext();
  useLiveChanges(session);
  useFetchAhead();
  usePageColours();
  // The document in a window of its own has the whole window.
  const alone = useMatch({ from: '/frame/archives/$archive/document', shouldThrow: false });
  const leave = async (next?: string) => {
    endSession(client);
    const search = next === undefined ? {} : { next };
    await router.navigate({ to: '/sign-in', search, ignoreBlocker: true });
    forgetWhatWasRead(client);
  };
  return (
    <SessionProvider value={session}>
      {alone ? (
        <main className={classes.alone}>
          <Outlet />
        </main>
      ) : (
        <Frame onSignedOut={() => void leave()}>
          <Outlet />
        </Frame>
      )}
      <SignInAgain onGiveUp={() => void leave(router.state.location.href)} />
      <Notices />
    </SessionProvider>
  );
}
