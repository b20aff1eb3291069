import { useMutation } from '@tanstack/react-query';
import type { FieldFinding } from '#web/findings/finding.ts';
import { ExceptionDialog } from '#web/findings/lazy-exception-dialog.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import { setDatasetException } from './exceptions.mutations.ts';

interface RecordExceptionDialogProps {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly record: ServerRecord;
  readonly finding: FieldFinding;
  readonly onClose: () => void;
}

/** The dialog for making an exception from a check for a record. */
export function RecordExceptionDialog(props: RecordExceptionDialogProps) {
  const { guid, editStore, record, finding, onClose } = props;
  const mutation = useMutation(setDatasetException(guid, editStore, () => record));
  return <ExceptionDialog finding={finding} mutation={mutation} onClose={onClose} />;
}
