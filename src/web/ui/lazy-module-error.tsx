import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/failures.ts';
import { Button } from './button.tsx';
import classes from './lazy-module-error.module.css';

interface PartMissingProps {
  /** `pane`: in the place of what is missing; `over`: what is missing is a dialog or menu */
  readonly place: 'pane' | 'over';
  readonly onAgain: () => void;
}

/** Says that a part of the program could not be fetched: no connection, or another version is there by now. */
export function LazyModuleError({ place, onAgain }: PartMissingProps) {
  return (
    <div role="alert" className={classes[place]}>
      <p>{texts.moduleNotLoaded}</p>
      <Button variant="default" onClick={onAgain}>
        {commonTexts.tryAgain}
      </Button>
      <Button variant="default" onClick={() => location.reload()}>
        {commonTexts.reloadPage}
      </Button>
    </div>
  );
}
