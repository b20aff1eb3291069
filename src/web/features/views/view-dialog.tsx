import { Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { View } from '#shared/contract/workspace-answers.ts';
import { messagesAt, toFailure } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { notify } from '#web/ui/notify.ts';
import type { ViewedList } from './viewed-list.ts';
import { deleteView, invalidateViews, saveView } from './views.queries.ts';

/** What is to be done with a view. */
export type ViewQuestion =
  | { readonly kind: 'new' }
  | { readonly kind: 'change'; readonly view: View }
  | { readonly kind: 'delete'; readonly view: View };

interface ViewDialogProps {
  readonly list: ViewedList;
  readonly question: ViewQuestion;
  /** what the list shows now, for a new view */
  readonly search: string;
  readonly mayShare: boolean;
  readonly onClose: () => void;
  readonly onSaved: (view: View) => void;
  readonly onDeleted: () => void;
}

/** Asks for the name of a view, and for whom it is; or whether it is to be deleted. */
export function ViewDialog(props: ViewDialogProps) {
  const { question, onClose } = props;
  const title = {
    new: 'Save as a view',
    change: 'Rename or share the view',
    delete: 'Delete the view?',
  }[question.kind];
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {question.kind === 'delete' ? (
        <DeleteForm {...props} view={question.view} />
      ) : (
        <NameForm {...props} view={question.kind === 'change' ? question.view : null} />
      )}
    </Modal>
  );
}

interface NameFormProps extends ViewDialogProps {
  /** null: a new one */
  readonly view: View | null;
}

function NameForm({ list, view, search, mayShare, onClose, onSaved }: NameFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const saving = useMutation({
    mutationFn: () =>
      saveView(list.place, view?.viewId ?? null, { name, shared, search: view?.search ?? search }),
    onSuccess: async (saved) => {
      await invalidateViews(client, list.place);
      onSaved(saved);
      notify(`The view “${saved.name}” is saved.`);
      onClose();
    },
  });
  const failure = saving.error ? toFailure(saving.error) : null;
  const atName = messagesAt(failure, 'name');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') saving.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          placeholder="Supplier missing"
          data-autofocus
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={atName.length > 0 ? atName.join(' ') : undefined}
        />
        {mayShare && (
          <Checkbox
            label={`For everybody who sees this ${list.place.kind}`}
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
        )}
        {view === null && (
          <p>It keeps the filter, the search, the order, the columns and their widths.</p>
        )}
        {saving.error && atName.length === 0 && (
          <ErrorPanel error={saving.error} title="The view was not saved" />
        )}
      </Stack>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending} disabled={name.trim() === ''}>
          Save the view
        </Button>
      </Group>
    </form>
  );
}

function DeleteForm({ list, view, onClose, onDeleted }: ViewDialogProps & { readonly view: View }) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteView(list.place, view.viewId),
    onSuccess: async () => {
      onDeleted();
      await invalidateViews(client, list.place);
      notify(`The view “${view.name}” is deleted.`);
      onClose();
    },
  });
  return (
    <>
      <p>
        “{view.name}” is gone {view.shared ? 'for everybody' : 'then'}. The {list.rows} stay as they
        are.
      </p>
      {deletion.error && <ErrorPanel error={deletion.error} title="The view was not deleted" />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          variant="light"
          loading={deletion.isPending}
          onClick={() => deletion.mutate()}
        >
          Delete the view
        </Button>
      </Group>
    </>
  );
}
