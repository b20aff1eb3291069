import * as texts from '#messages/findings.ts';
import * as undoTexts from '#messages/table-undo.ts';
import { useMutation } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { findingsModule } from '#web/findings/use-list-checks.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { Stored } from '../edit-store/edits.ts';
import { filled } from '../filled.ts';
import { fillsOf } from '../findings/row-record.ts';
import { exceptDataset } from './exceptions.mutations.ts';

interface RecordFindingsProps {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly record: Stored;
  readonly field: ArchiveField;
  /** all of the table */
  readonly columns: readonly Column[];
  readonly all: readonly FieldFinding[];
  readonly canWrite: boolean;
  /** drops what is being typed into the field: a suggestion takes its place */
  readonly onDrop: () => void;
  /** asks why the record is right as it is */
  readonly onExcept: (finding: FieldFinding) => void;
}

/** What checks find in one column of the record, with what can be done about it. */
export function RecordFindings(props: RecordFindingsProps) {
  const { guid, editStore, record, field, columns, all, canWrite, onDrop, onExcept } = props;
  const { jrid } = record.dataset;
  const ending = useMutation(exceptDataset(guid, editStore, () => record));
  // What computes findings is loaded with what shows them.
  const FindingNotes = findingsModule.loaded()?.FindingNotes;
  const end = async (check: string, button: HTMLElement) => {
    const column = button.closest('[data-column]');
    try {
      await ending.mutateAsync({ check, exception: null });
      notify(texts.exceptionEnded);
      // The button is removed; the cursor goes to its field.
      column?.querySelector<HTMLElement>('textarea, input')?.focus();
    } catch {
      // It is said below.
    }
  };
  return (
    FindingNotes && (
      <FindingNotes
        all={all}
        field={field}
        of={{ place: { kind: 'table', id: guid }, id: jrid }}
        stored={record.dataset[field.name] ?? null}
        readOnly={!canWrite}
        onSuggest={(suggestion) => {
          onDrop();
          const row = { editStore, columns, key: jrid, listed: record };
          editStore.write(filled(row, fillsOf(suggestion)), undoTexts.suggestion);
        }}
        onExcept={onExcept}
        onEndException={(check, button) => void end(check, button)}
        ending={ending}
      />
    )
  );
}
