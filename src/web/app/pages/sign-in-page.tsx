import { useNavigate, useSearch } from '@tanstack/react-router';
import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';
import { ownPath } from '../own-path.ts';
import { Unframed } from './unframed.tsx';

/** Signing in, and on to the page that was asked for. */
export function SignInPage() {
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/sign-in' });
  return (
    <Unframed>
      <SignInScreen onSignedIn={() => void navigate({ href: ownPath(next), replace: true })} />
    </Unframed>
  );
}
