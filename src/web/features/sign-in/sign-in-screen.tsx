import { useTitle } from '#web/ui/page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in.module.css';

/** The page for those who are not signed in. */
export function SignInScreen({ onSignedIn }: { readonly onSignedIn: () => void }) {
  useTitle('Sign in');
  return (
    <div className={classes.screen}>
      <div className={classes.card}>
        <header className={classes.head}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <h1 className={classes.title}>Sign in to Indexdesk</h1>
        </header>
        <SignInForm onSignedIn={onSignedIn} />
      </div>
    </div>
  );
}
