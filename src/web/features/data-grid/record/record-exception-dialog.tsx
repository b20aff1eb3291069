import { useMutation } from '@tanstack/react-query';
import type { FieldFinding } from '#web/findings/finding.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import { exceptDataset } from './exceptions.mutations.ts';

const ExceptionDialog = lazyComponent(
  async () => (await import('#web/findings/exception-dialog.tsx')).ExceptionDialog,
  { layout: 'overlay', buffersKeys: true },
);

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
  const mutation = useMutation(exceptDataset(guid, editStore, () => record));
  return <ExceptionDialog finding={finding} mutation={mutation} onClose={onClose} />;
}
