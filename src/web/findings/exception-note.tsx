import * as texts from '#messages/findings.ts';
import type { CheckException } from '#shared/contract/answers.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { type CallError, summary } from '#web/api/failure.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { CheckIcon } from '#web/ui/icons.tsx';
import type { FieldFinding } from './finding.ts';
import classes from './findings.module.css';

interface ExceptionNoteProps {
  readonly finding: FieldFinding;
  readonly exception: CheckException;
  readonly readOnly: boolean;
  readonly ending: { readonly isPending: boolean; readonly error: CallError | null };
  readonly onEnd: (check: string, button: HTMLElement) => void;
}

/** Shows that a user has marked the record as right, at the first field that the check would highlight. */
export function ExceptionNote(props: ExceptionNoteProps) {
  const { finding, exception, readOnly, ending, onEnd } = props;
  const nameOf = useNameOf();
  if (!finding.isFirst) return null;
  const { check, label, reason, by, at } = exception;
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
          onClick={({ currentTarget }) => onEnd(check, currentTarget)}
        >
          {texts.endException}
        </button>
      )}
      {ending.error && <p role="alert">{summary(ending.error.failure)}</p>}
    </div>
  );
}
