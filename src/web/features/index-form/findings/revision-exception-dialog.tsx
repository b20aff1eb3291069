import { useMutation } from '@tanstack/react-query';
import { useStore } from '#web/api/use-store.ts';
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
  const { archive, base } = findings.source();
  const mutation = useMutation(
    setRevisionException(archive, base.revision.revisionId, () => findings.source().base),
  );
  if (!pending) return null;
  return (
    <ExceptionDialog
      finding={pending.finding}
      mutation={mutation}
      onClose={() => {
        mutation.reset();
        findings.pendingException.set(null);
        requestAnimationFrame(() => goTo(pending.path));
      }}
    />
  );
}
