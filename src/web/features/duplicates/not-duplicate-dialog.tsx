import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/duplicates.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextAreaField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { SelectField } from '#web/ui/form/select-field.tsx';
import type { ComparedRecord } from './compare.ts';
import { useNotDuplicates } from './duplicates.mutations.ts';

interface NotDuplicateDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly collection: CollectionRef;
  readonly check: string;
  /** the one that differs */
  readonly record: ComparedRecord;
  readonly title: string;
  readonly others: readonly ComparedRecord[];
  /** @param isAll whether no records of the group are duplicates any more */
  readonly onDone: (isAll: boolean) => void;
}

/** Asks for the reason why a record is not a duplicate of the others in its group. */
export function NotDuplicateDialog({ opened, onClose, title, ...form }: NotDuplicateDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.notDuplicateTitle(title)} size={480}>
      <NotDuplicateForm {...form} onClose={onClose} />
    </Modal>
  );
}

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, texts.enterReason), z.maxLength(2_000)),
  which: z.enum(['this', 'all']),
});

const WHICH = [
  { value: 'this', label: texts.thisDiffers },
  { value: 'all', label: texts.allDiffer },
] as const;

type NotDuplicateFormProps = Omit<NotDuplicateDialogProps, 'opened' | 'title'>;

function NotDuplicateForm(props: NotDuplicateFormProps) {
  const { onClose, collection, check, record, others, onDone } = props;
  const form = useForm<z.infer<typeof schema>>({
    defaultValues: { reason: '', which: 'this' },
    resolver: zodResolver(schema),
  });
  const isPair = others.length < 2;
  const pairsOf = (which: 'this' | 'all') => {
    const all = [record, ...others];
    const first = which === 'this' ? [record] : all.slice(0, -1);
    return first.map(({ id, etag }, at) => ({
      id,
      etag,
      others: all.slice(at + 1).map((other) => other.id),
    }));
  };
  return (
    <Form
      form={form}
      mutation={useNotDuplicates(collection, check)}
      toBody={({ reason, which }) => ({ reason, records: pairsOf(which) })}
      onDone={() => onDone(isPair || form.getValues('which') === 'all')}
      onCancel={onClose}
      errorTitle={texts.notDuplicateNotSaved}
      submit={{ label: texts.saveNotDuplicate }}
    >
      {!isPair && (
        <SelectField
          control={form.control}
          name="which"
          label={texts.whichDiffer}
          options={WHICH}
        />
      )}
      <TextAreaField
        control={form.control}
        name="reason"
        label={texts.because}
        description={texts.becauseHint}
        rows={3}
        maxLength={2_000}
        submitsByEnter
      />
    </Form>
  );
}
