import * as texts from '#messages/sign-in.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { useTitle } from '#web/ui/page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { signInWays } from './sign-in-ways.ts';
import classes from './sign-in.module.css';

interface SignInScreenProps {
  /** where the provider sends the browser afterwards: a path of this origin */
  readonly next: string;
  readonly onSignedIn: () => void;
}

/** The page for users who are not signed in. */
export function SignInScreen({ next, onSignedIn }: SignInScreenProps) {
  useTitle(texts.signIn);
  const { provider, hasPassword } = signInWays();
  return (
    <div className={classes.screen}>
      <div className={classes.card}>
        <header className={classes.head}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <h1 className={classes.title}>{texts.title}</h1>
        </header>
        {provider !== '' && (
          <Button size="large" onClick={() => location.assign(apiPaths.startProviderSignIn(next))}>
            {texts.signInWith(provider)}
          </Button>
        )}
        {hasPassword && <SignInForm onSignedIn={onSignedIn} />}
      </div>
    </div>
  );
}
