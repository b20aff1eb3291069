import { localInstant } from '#web/fields/value-text.ts';
import { TheirValue } from '#web/ui/field.tsx';
import classes from './input-assist.module.css';

/** That somebody else changed a field while it stood in the form. */
export interface OthersMark {
  readonly by: string;
  readonly at: string;
  /** their value, where the clerk has changed the field as well and has not chosen yet; undefined: it stands here */
  readonly theirs?: string | null | undefined;
}

/** Says at a field who changed it meanwhile. */
export function OthersNote({ mark }: { readonly mark: OthersMark | undefined }) {
  if (!mark) return null;
  const { by, at, theirs } = mark;
  return (
    <p className={classes.others} data-open={theirs !== undefined || undefined}>
      {theirs === undefined ? (
        `${by} changed this at ${localInstant(at)}`
      ) : (
        <>
          {by} changed this, too, to <TheirValue text={theirs} />
        </>
      )}
    </p>
  );
}
