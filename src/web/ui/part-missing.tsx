import classes from './part-missing.module.css';
import { PlainButton } from './plain-button.tsx';

interface PartMissingProps {
  /** `pane`: in the place of what is missing; `over`: what is missing is a dialog or menu */
  readonly place: 'pane' | 'over';
  readonly onAgain: () => void;
}

/** Says that a part of the program could not be fetched: no connection, or another version is there by now. */
export function PartMissing({ place, onAgain }: PartMissingProps) {
  return (
    <div role="alert" className={classes[place]}>
      <p>
        This part of Indexdesk could not be loaded: the server cannot be reached, or has a new
        version. What you typed is kept.
      </p>
      <PlainButton onClick={onAgain}>Try again</PlainButton>
      <PlainButton onClick={() => location.reload()}>Load the page anew</PlainButton>
    </div>
  );
}
