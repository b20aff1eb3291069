import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/failures.ts';
import { Button } from './button.tsx';
import classes from './lazy-module-error.module.css';

interface LazyModuleErrorProps {
  /** `pane`: in the place of the missing module; `overlay`: the missing module is a dialog or menu */
  readonly layout: 'pane' | 'overlay';
  readonly onRetry: () => void;
}

/** Shows that a part of the program could not be fetched: there is no connection, or a new version was deployed. */
export function LazyModuleError({ layout, onRetry }: LazyModuleErrorProps) {
  return (
    <div role="alert" className={classes[layout]}>
      <p>{texts.moduleNotLoaded}</p>
      <Button variant="default" onClick={onRetry}>
        {commonTexts.tryAgain}
      </Button>
      <Button variant="default" onClick={() => location.reload()}>
        {commonTexts.reloadPage}
      </Button>
    </div>
  );
}
