import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { shownCount } from '#web/api/reader.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './grid-foot.module.css';
import type { RowSelection } from './use-row-selection.ts';

interface DeleteDialogProps {
  readonly opened: boolean;
  /** what is to be deleted */
  readonly jrids: readonly string[];
  readonly deletion: RowSelection['deletion'];
  /** what still holds its values */
  readonly consequence: ReactNode;
  readonly tableLabel: string;
  readonly onClose: () => void;
}

/** Asks before datasets are deleted, and says what that means. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { opened, jrids, deletion, consequence, tableLabel, onClose } = props;
  const count = jrids.length;
  const datasets = count === 1 ? 'this dataset' : `these ${shownCount(count)} datasets`;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Delete ${datasets} of ${tableLabel}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p>
        {count === 1 ? 'It is' : 'They are'} gone for everybody, and forms that take values from{' '}
        {count === 1 ? 'it' : 'them'} no longer offer {count === 1 ? 'it' : 'them'}. The history
        keeps what stood there, so that you can take the deletion back.
      </p>
      {consequence}
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
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep {count === 1 ? 'it' : 'them'}
        </Button>
        <Button
          color="red"
          variant="light"
          loading={deletion.isPending}
          onClick={() => deletion.mutate(jrids, { onSuccess: onClose })}
        >
          Delete {count === 1 ? 'the dataset' : `${shownCount(count)} datasets`}
        </Button>
      </Group>
    </Modal>
  );
}

/** `datasets.2` as the dataset that was sent in that place. */
function placeLabel(place: string, sent: readonly string[]): string | undefined {
  const [, number] = /^datasets\.(\d+)/.exec(place) ?? [];
  const jrid = number === undefined ? undefined : sent[Number(number)];
  return jrid === undefined ? undefined : `Dataset ${jrid}`;
}
