import * as texts from '#messages/view-dialog.ts';
import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Confirmation } from '#web/ui/confirm-dialog.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckboxField, TextField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { useDeleteView, useNameView } from './view-dialog.mutations.ts';

/** The action on a view. */
export type ViewQuestion =
  | { readonly kind: 'new' }
  | { readonly kind: 'change'; readonly view: View }
  | { readonly kind: 'delete'; readonly view: View };

interface ViewDialogProps {
  /** the archive or table of the views */
  readonly collection: CollectionRef;
  readonly question: ViewQuestion;
  /** the present state of the list, for a new view */
  readonly search: string;
  readonly mayShare: boolean;
  readonly onClose: () => void;
  readonly onSaved: (view: View) => void;
  readonly onDeleted: () => void;
}

/** The dialog for the name of a view and its users, or for confirmation to delete it. */
export function ViewDialog(props: ViewDialogProps) {
  const { question, onClose } = props;
  return (
    <Modal opened onClose={onClose} title={texts.titles[question.kind]}>
      {question.kind === 'delete' ? (
        <DeleteForm {...props} view={question.view} />
      ) : (
        <NameForm {...props} view={question.kind === 'change' ? question.view : null} />
      )}
    </Modal>
  );
}

const viewSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.needsName)),
  shared: z.boolean(),
});

interface NameFormProps extends ViewDialogProps {
  /** null: a new one */
  readonly view: View | null;
}

function NameForm({ collection, view, search, mayShare, onClose, onSaved }: NameFormProps) {
  const form = useForm({
    defaultValues: { name: view?.name ?? '', shared: view?.shared ?? false },
    resolver: zodResolver(viewSchema),
  });
  return (
    <Form
      form={form}
      mutation={useNameView(collection, view, search)}
      toBody={(values) => values}
      onDone={(saved) => {
        onSaved(saved);
        onClose();
      }}
      onCancel={onClose}
      errorTitle={texts.notSaved}
      submit={{ label: texts.save }}
    >
      <TextField
        control={form.control}
        name="name"
        label={texts.name}
        placeholder={texts.nameExample}
        data-autofocus
        required
        maxLength={200}
      />
      {mayShare && (
        <CheckboxField control={form.control} name="shared" label={texts.shared[collection.kind]} />
      )}
      {view === null && <p>{texts.whatIsSaved}</p>}
    </Form>
  );
}

function DeleteForm(props: ViewDialogProps & { readonly view: View }) {
  const { collection, view, onClose, onDeleted } = props;
  const deletion = view.shared ? texts.deletionForEverybody : texts.deletion;
  return (
    <Confirmation
      mutation={useDeleteView(collection)}
      body={view}
      onDone={() => {
        onDeleted();
        onClose();
      }}
      onCancel={onClose}
      errorTitle={texts.notDeleted}
      submit={texts.deleteView}
    >
      <p>{deletion[collection.kind](view.name)}</p>
    </Confirmation>
  );
}
