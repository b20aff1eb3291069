import * as texts from '#messages/findings.ts';
import type { CheckException } from '#shared/contract/answers.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { type CallError, summary } from '#web/api/failure.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { CheckIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import type { ExceptionChange, FieldFinding } from './finding.ts';
import classes from './findings.module.css';

/** What ends an exception. */
export interface ExceptionEnd {
  /** makes and ends exceptions of the record */
  readonly ending: {
    readonly mutateAsync: (change: ExceptionChange) => Promise<unknown>;
    readonly isPending: boolean;
    readonly error: CallError | null;
  };
  /** focuses the field with a button, which is removed by then. @returns called once it is */
  readonly focusFieldOf: (button: HTMLElement) => () => void;
}

interface ExceptionNoteProps extends ExceptionEnd {
  readonly finding: FieldFinding;
  readonly exception: CheckException;
  readonly readOnly: boolean;
}

/** Shows that a user has marked the record as right, at the first field that the check would highlight. */
export function ExceptionNote(props: ExceptionNoteProps) {
  const { finding, exception, readOnly, ending, focusFieldOf } = props;
  const nameOf = useNameOf();
  if (!finding.isFirst) return null;
  const { check, label, reason, by, at } = exception;
  const end = async (button: HTMLElement) => {
    const focusField = focusFieldOf(button);
    try {
      await ending.mutateAsync({ check, exception: null });
      notify(texts.exceptionEnded);
      focusField();
    } catch {
      // The mutation shows the error below.
    }
  };
  return (
    <div className={classes.finding} data-severity="none">
      <p className={classes.text}>
        <CheckIcon size={13} />
        <span>
          {texts.exceptedBy({ check: label, by: nameOf(by), at: localInstant(at), reason })}
        </span>
      </p>
      {!readOnly && (
        <button
          type="button"
          className={classes.quiet}
          disabled={ending.isPending}
          onClick={({ currentTarget }) => void end(currentTarget)}
        >
          {texts.endException}
        </button>
      )}
      {ending.error && <p role="alert">{summary(ending.error.failure)}</p>}
    </div>
  );
}
