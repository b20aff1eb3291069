import { useMutation } from '@tanstack/react-query';
import { useStore } from '#web/api/use-store.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { ExceptionDialog } from '#web/findings/lazy-exception-dialog.ts';
import { setRevisionException } from '../revision.mutations.ts';
import type { FormFindings } from './findings-store.ts';

interface RevisionExceptionDialogProps {
  readonly findings: FormFindings;
  /** moves the focus back to the field of the finding */
  readonly goTo: (path: string) => void;
}

/**
 * The dialog for making an exception for a finding. It is rendered outside the form, so that the form's shortcuts do
 * not apply.
 */
export function RevisionExceptionDialog({ findings, goTo }: RevisionExceptionDialogProps) {
  const pending = useStore(findings.pendingException);
  if (!pending) return null;
  const { path, finding } = pending;
  return (
    <Question
      findings={findings}
      finding={finding}
      onClose={() => {
        findings.pendingException.set(null);
        requestAnimationFrame(() => goTo(path));
      }}
    />
  );
}

interface QuestionProps extends Pick<RevisionExceptionDialogProps, 'findings'> {
  readonly finding: FieldFinding;
  readonly onClose: () => void;
}

function Question({ findings, finding, onClose }: QuestionProps) {
  const { archive, base } = findings.source();
  const mutation = useMutation(
    setRevisionException(archive, base.revision.revisionId, () => findings.source().base),
  );
  return <ExceptionDialog finding={finding} mutation={mutation} onClose={onClose} />;
}
