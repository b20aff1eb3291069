import { useSyncExternalStore } from 'react';
import type { FindingNotesProps } from './finding-notes.tsx';
import { findingsModule } from './use-findings.ts';

/** What checks find at a field, while one types. A keystroke renders it alone. */
export function FieldFindings(props: Omit<FindingNotesProps, 'all'>) {
  const { findings, field } = props;
  const all = useSyncExternalStore(findings.subscribe, () => findings.at(field.place));
  // What computes findings is loaded with what shows them.
  const Notes = all.length > 0 ? findingsModule.loaded()?.FindingNotes : undefined;
  return Notes && <Notes {...props} all={all} />;
}
