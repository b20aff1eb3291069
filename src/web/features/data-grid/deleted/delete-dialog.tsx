import { Group, Modal } from '@mantine/core';
import type { TableDetail } from '#shared/contract/answers.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from '../grid-foot.module.css';
import { DeletionConsequence } from '../record/deletion-consequence.tsx';
import { recordWords } from '../record/record-words.ts';
import type { DeleteQuestion } from './use-delete-question.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';

interface DeleteDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly table: TableDetail;
  readonly question: DeleteQuestion;
  readonly deletion: DatasetSelection['deletion'];
}

/** So many datasets are named; of the others how many they are. */
const NAMED = 5;

/** Asks before datasets are deleted: names them, and says what that means. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { opened, onClose: close, table, question, deletion } = props;
  const { jrids, known } = question;
  const count = jrids.length;
  const datasets = count === 1 ? 'this record' : `these ${formatCount(count)} records`;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Delete ${datasets} of ${table.label}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ul className={classes.named}>
        {jrids.slice(0, NAMED).map((jrid) => (
          <li key={jrid}>
            <b>{jrid}</b>{' '}
            {recordWords(
              table.columns,
              (name) => known.find((dataset) => dataset.jrid === jrid)?.[name],
            )}
          </li>
        ))}
        {count > NAMED && <li>and {formatCount(count - NAMED)} more</li>}
      </ul>
      <p>
        {count === 1 ? 'It is' : 'They are'} gone for everybody, and forms that take values from{' '}
        {count === 1 ? 'it' : 'them'} no longer offer {count === 1 ? 'it' : 'them'}. The history
        keeps what stood there, so that you can undo the deletion.
      </p>
      {known.length > 0 && <DeletionConsequence table={table} datasets={known} count={count} />}
      {deletion.error && (
        <div className={classes.dialogError}>
          <ErrorPanel
            error={deletion.error}
            title="Nothing was deleted"
            placeLabel={(place) => placeLabel(place, jrids)}
          />
        </div>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          variant="light"
          loading={deletion.isPending}
          onClick={() => deletion.mutate(jrids, { onSuccess: close })}
        >
          Delete {count === 1 ? 'the record' : `${formatCount(count)} records`}
        </Button>
      </Group>
    </Modal>
  );
}

/** `datasets.2` as the dataset that was sent in that place. */
function placeLabel(place: string, sent: readonly string[]): string | undefined {
  const [, number] = /^datasets\.(\d+)/.exec(place) ?? [];
  const jrid = number === undefined ? undefined : sent[Number(number)];
  return jrid === undefined ? undefined : `Record ${jrid}`;
}
