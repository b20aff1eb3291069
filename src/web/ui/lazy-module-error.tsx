import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/failures.ts';
import { Button } from './button.tsx';
import classes from './lazy-module-error.module.css';

interface PartMissingProps {
  /** `pane`: in the place of the missing module; `over`: the missing module is a dialog or menu */
  readonly place: 'pane' | 'over';
  readonly onAgain: () => void;
}

/** Shows that a part of the program could not be fetched: there is no connection, or a new version was deployed. */
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
