import * as texts from '#messages/sign-in.ts';
import { useTitle } from '#web/ui/page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in.module.css';

/** The page for those who are not signed in. */
export function SignInScreen({ onSignedIn }: { readonly onSignedIn: () => void }) {
  useTitle(texts.signIn);
  return (
    <div className={classes.screen}>
      <div className={classes.card}>
        <header className={classes.head}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <h1 className={classes.title}>{texts.title}</h1>
        </header>
        <SignInForm onSignedIn={onSignedIn} />
      </div>
    </div>
  );
}
