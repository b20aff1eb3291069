import { useMutation } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { findingsModule } from '#web/findings/use-list-checks.ts';
import { focusEditor, fieldElementOf } from '../form-focus.ts';
import { setRevisionException } from '../revision.mutations.ts';
import type { FieldActions } from '../use-input-assist.ts';
import type { FormFindings } from './findings-store.ts';

interface FieldFindingsProps {
  /** those of the field */
  readonly all: readonly FieldFinding[];
  readonly findings: FormFindings;
  readonly field: ArchiveField;
  readonly actions: RefObject<FieldActions>;
  readonly readOnly: boolean;
}

/** The findings at a field, while the user types. */
export function FieldFindings(props: FieldFindingsProps) {
  const { all, findings, field, actions, readOnly } = props;
  const { archive, base } = findings.source();
  const ending = useMutation(
    setRevisionException(archive, base.revision.revisionId, () => findings.source().base),
  );
  // The code that computes findings is loaded with the code that shows them.
  const FindingNotes = findingsModule.loaded()?.FindingNotes;
  return (
    FindingNotes && (
      <FindingNotes
        all={all}
        field={field}
        of={{ collection: { kind: 'archive', id: archive }, id: base.revision.revisionId }}
        stored={storedIn(base.revision, field)}
        readOnly={readOnly}
        onSuggest={(suggestion, check) => actions.current.suggest(field.path, suggestion, check)}
        onExcept={(finding) => findings.pendingException.set({ path: field.path, finding })}
        ending={ending}
        focusFieldOf={(button) => {
          const shell = fieldElementOf(button);
          return () => shell && focusEditor(shell);
        }}
      />
    )
  );
}
