import * as texts from '#messages/account.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, which the service returns only once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <section className={classes.codes} aria-label={texts.recoveryCodes}>
      <p>{texts.codesHint}</p>
      <ul className={classes.list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={shared.buttons}>
        <CopyButton text={codes.join('\n')} />
        <Button variant="default" onClick={() => window.print()}>
          {texts.print}
        </Button>
        <Button onClick={onDone}>{texts.codesStored}</Button>
      </div>
    </section>
  );
}
