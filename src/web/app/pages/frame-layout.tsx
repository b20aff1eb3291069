import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import {
  endSession,
  forgetWhatWasRead,
  type OwnSession,
  SessionProvider,
} from '#web/api/session.queries.ts';
import { Frame } from '#web/features/frame/frame.tsx';
import { SignInAgain } from '#web/features/sign-in/sign-in-again.tsx';
import { useNavigation } from '#web/navigation/navigation.ts';
import { usePageColours } from '#web/ui/colour-scheme.ts';
import { Notices } from '#web/ui/notices.tsx';
import { useFetchAhead } from '../ahead.ts';
import { useLiveChanges } from '../live-changes.ts';
import classes from './frame-layout.module.css';

interface FrameLayoutProps {
  readonly session: OwnSession;
  /** only the page, which has the whole window */
  readonly alone: boolean;
  readonly children: ReactNode;
}

/** The frame around every page of a signed-in user. */
export function FrameLayout({ session, alone, children }: FrameLayoutProps) {
  const client = useQueryClient();
  const { go, here } = useNavigation();
  useLiveChanges(session);
  useFetchAhead();
  usePageColours();
  const leave = (next?: string) => {
    endSession(client);
    // What is forgotten would be read anew by a page that is still there.
    flushSync(() => go({ page: 'sign-in', ...(next === undefined ? {} : { next }) }));
    forgetWhatWasRead(client);
  };
  return (
    <SessionProvider value={session}>
      {alone ? (
        <main className={classes.alone}>{children}</main>
      ) : (
        <Frame onSignedOut={() => leave()}>{children}</Frame>
      )}
      <SignInAgain
        onGiveUp={() => leave(here.get().href)}
        // A new page, in which nothing is left of what was read and typed in this one.
        onContinueAsOther={() => location.assign('/')}
      />
      <Notices />
    </SessionProvider>
  );
}
