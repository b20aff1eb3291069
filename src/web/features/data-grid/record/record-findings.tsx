import * as undoTexts from '#messages/table-undo.ts';
import { useMutation } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { FieldFinding } from '#web/findings/finding.ts';
import { findingsModule } from '#web/findings/use-list-checks.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import { fillWrites } from '../fill-writes.ts';
import { fillsOf } from '../findings/row-record.ts';
import { setDatasetException } from './exceptions.mutations.ts';

interface RecordFindingsProps {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly record: ServerRecord;
  readonly field: ArchiveField;
  /** all of the table */
  readonly columns: readonly Column[];
  readonly all: readonly FieldFinding[];
  readonly canWrite: boolean;
  /** discards the text being typed into the field: a suggestion replaces it */
  readonly onDrop: () => void;
  /** asks for the reason why the record is right */
  readonly onExcept: (finding: FieldFinding) => void;
}

/** The findings in one column of the record, with their commands. */
export function RecordFindings(props: RecordFindingsProps) {
  const { guid, editStore, record, field, columns, all, canWrite, onDrop, onExcept } = props;
  const { jrid } = record.dataset;
  const ending = useMutation(setDatasetException(guid, editStore, () => record));
  // The code that computes findings is loaded with the code that shows them.
  const FindingNotes = findingsModule.loaded()?.FindingNotes;
  return (
    FindingNotes && (
      <FindingNotes
        all={all}
        field={field}
        of={{ collection: { kind: 'table', id: guid }, id: jrid }}
        stored={record.dataset[field.name] ?? null}
        readOnly={!canWrite}
        onSuggest={(suggestion) => {
          onDrop();
          const row = { editStore, columns, key: jrid, listed: record };
          editStore.write(fillWrites(row, fillsOf(suggestion)), undoTexts.suggestion);
        }}
        onExcept={onExcept}
        ending={ending}
        focusFieldOf={(button) => {
          const column = button.closest('[data-column]');
          return () => column?.querySelector<HTMLElement>('textarea, input')?.focus();
        }}
      />
    )
  );
}
