import { useSyncExternalStore } from 'react';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { Findings } from './findings-store.ts';

const ExceptionDialog = lazyComponent(
  async () => (await import('./exception-dialog.tsx')).ExceptionDialog,
  { place: 'over', holdsKeys: true },
);

interface ExceptionQuestionProps {
  readonly findings: Findings;
  /** puts the cursor back into the field of the finding */
  readonly goTo: (place: string) => void;
}

/** The dialog in which a person says that a finding is none. It is beside the form, whose keys are not its keys. */
export function ExceptionQuestion({ findings, goTo }: ExceptionQuestionProps) {
  const asked = useSyncExternalStore(findings.asked.subscribe, findings.asked.get);
  if (!asked) return null;
  const { place, finding } = asked;
  return (
    <ExceptionDialog
      findings={findings}
      finding={finding}
      onClose={() => {
        findings.asked.set(null);
        requestAnimationFrame(() => goTo(place));
      }}
    />
  );
}
