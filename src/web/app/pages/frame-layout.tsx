import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { peopleQuery } from '#web/api/people.queries.ts';
import { type OwnSession, SessionProvider } from '#web/api/session.queries.ts';
import { prefetchStorageKey } from '#web/api/storage-key.ts';
import { Frame } from '#web/features/frame/frame.tsx';
import { SignInAgain } from '#web/features/sign-in/sign-in-again.tsx';
import { writeAddress } from '#web/navigation/addresses.ts';
import { useNavigation } from '#web/navigation/navigation.ts';
import { usePageColours } from '#web/ui/colour-scheme.ts';
import { Notices } from '#web/ui/notices.tsx';
import { useIdlePrefetch } from '../idle-prefetch.ts';
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
  const { here } = useNavigation();
  const { username } = session;
  const client = useQueryClient();
  useEffect(() => prefetchStorageKey(username), [username]);
  useEffect(() => void client.prefetchQuery(peopleQuery), [client]);
  useLiveChanges(session);
  useIdlePrefetch();
  usePageColours();
  // A new document: nothing of what was read and typed stays in this one's memory, nor the key of its storage.
  const leave = (next?: string) =>
    location.assign(writeAddress({ page: 'sign-in', ...(next === undefined ? {} : { next }) }));
  return (
    <SessionProvider value={session}>
      {alone ? (
        <main className={classes.alone}>{children}</main>
      ) : (
        <Frame onSignedOut={() => leave()}>{children}</Frame>
      )}
      <SignInAgain
        onGiveUp={() => leave(here.get().href)}
        onContinueAsOther={() => location.assign('/')}
      />
      <Notices />
    </SessionProvider>
  );
}
