import { Modal } from '@mantine/core';
import type { TableDetail } from '#shared/contract/answers.ts';
import { Confirmation } from '#web/ui/confirm-dialog.tsx';
import classes from '../grid-footer.module.css';
import { DeletionConsequence } from '../record/deletion-consequence.tsx';
import { recordLabel } from '../record/record-label.ts';
import type { DeleteConfirmation } from './use-delete-confirmation.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import * as texts from '#messages/deleted-records.ts';

interface DeleteDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly table: TableDetail;
  readonly confirmation: DeleteConfirmation;
  readonly deletion: DatasetSelection['deletion'];
}

/** How many datasets are named; the others are only counted. */
const MAX_LISTED = 5;

/** Asks for confirmation before datasets are deleted, with the consequences. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { opened, onClose: close, table, confirmation, deletion } = props;
  const { jrids, known } = confirmation;
  const count = jrids.length;
  return (
    <Modal opened={opened} onClose={close} title={texts.question({ count, table: table.label })}>
      <Confirmation
        mutation={deletion}
        body={jrids}
        onDone={close}
        onCancel={close}
        errorTitle={texts.notDeleted}
        pathLabel={(path) => pathLabel(path, jrids)}
        submit={texts.deleteRecords(count)}
      >
        <ul className={classes.named}>
          {jrids.slice(0, MAX_LISTED).map((jrid) => (
            <li key={jrid}>
              <b>{jrid}</b>{' '}
              {recordLabel(
                table.columns,
                (name) => known.find((dataset) => dataset.jrid === jrid)?.[name],
              )}
            </li>
          ))}
          {count > MAX_LISTED && <li>{texts.more(count - MAX_LISTED)}</li>}
        </ul>
        <p>{texts.consequence(count)}</p>
        {known.length > 0 && <DeletionConsequence table={table} datasets={known} count={count} />}
      </Confirmation>
    </Modal>
  );
}

/** `datasets.2` as the dataset that was sent at that position. */
function pathLabel(path: string, sent: readonly string[]): string | undefined {
  const [, number] = /^datasets\.(\d+)/.exec(path) ?? [];
  const jrid = number === undefined ? undefined : sent[Number(number)];
  return jrid === undefined ? undefined : texts.record(jrid);
}
