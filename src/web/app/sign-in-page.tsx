import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';
import { Unframed } from './unframed.tsx';

/** Signing in. It is shown without the router, so that its first load stays small. */
export function SignInPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  return (
    <Unframed>
      <SignInScreen onSignedIn={onSignedIn} />
    </Unframed>
  );
}
