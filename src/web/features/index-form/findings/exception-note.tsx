import * as texts from '#messages/findings.ts';
import { useMutation } from '@tanstack/react-query';
import type { CheckException } from '#shared/contract/answers.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { summary } from '#web/api/failure.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { CheckIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import { focusEditor, shellOf } from '../form-focus.ts';
import { exceptRevision } from '../revision.mutations.ts';
import type { FieldFinding } from './field-finding.ts';
import type { Findings } from './findings-store.ts';
import classes from './findings.module.css';

interface ExceptionNoteProps {
  readonly finding: FieldFinding;
  readonly exception: CheckException;
  readonly findings: Findings;
  readonly readOnly: boolean;
}

/** That somebody has said of the record that it is right, at the first field that the check would mark. */
export function ExceptionNote({ finding, exception, findings, readOnly }: ExceptionNoteProps) {
  const nameOf = useNameOf();
  const { archive, base } = findings.source();
  const ending = useMutation(exceptRevision(archive, base.revision.revisionId));
  if (!finding.isFirst) return null;
  const { check, label, reason, by, at } = exception;
  const end = async (button: HTMLElement) => {
    const shell = shellOf(button);
    try {
      await ending.mutateAsync({ check, exception: null, base: findings.source().base });
      notify(texts.exceptionEnded);
      // The button is removed; the cursor goes to its field.
      if (shell) focusEditor(shell);
    } catch {
      // It is said below.
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
