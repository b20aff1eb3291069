import { useState } from 'react';
import { PasswordForm } from '#web/features/frame/password-form.tsx';
import classes from './account-page.module.css';

/** The form of a new password, empty again after each change. */
export function OwnPasswordForm() {
  const [changes, setChanges] = useState(0);
  return (
    <div className={classes.form}>
      <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
    </div>
  );
}
