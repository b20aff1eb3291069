import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';
import { Unframed } from './unframed.tsx';

interface SignInPageProps {
  readonly next: string;
  readonly onSignedIn: () => void;
}

/** Signing in. It is shown without the router, so that its first load stays small. */
export function SignInPage({ next, onSignedIn }: SignInPageProps) {
  return (
    <Unframed>
      <SignInScreen next={next} onSignedIn={onSignedIn} />
    </Unframed>
  );
}
