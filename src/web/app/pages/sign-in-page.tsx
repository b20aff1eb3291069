import { getRouteApi, useRouter } from '@tanstack/react-router';
import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';
import { ownPath } from '../addresses.ts';

const route = getRouteApi('/sign-in');

/** Signing in, and on to the page that was asked for. */
export function SignInPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  return (
    <SignInScreen onSignedIn={() => void router.navigate({ href: ownPath(next), replace: true })} />
  );
}
