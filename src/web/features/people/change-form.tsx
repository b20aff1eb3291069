import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import { type CallError, hasStatus } from '#web/api/failure.ts';
import type { Difference } from '#web/fields/conflict-panel.tsx';
import { ConflictPanel } from '#web/fields/lazy-conflict-panel.ts';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useBaseVersion } from './use-base-version.ts';

/** A property of an object, as people read it. */
interface PropertyText {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

interface ChangeFormProps<Values extends FieldValues, Change> {
  readonly form: UseFormReturn<Values>;
  /** the values of the service, and their version */
  readonly values: Values;
  readonly etag: string | null;
  readonly mutation: UseMutationResult<
    unknown,
    CallError,
    { readonly etag: string | null; readonly change: Change }
  >;
  /** every property, as people read it */
  readonly describe: (values: Values) => readonly PropertyText[];
  /** the changed properties */
  readonly toChange: (values: Values) => Change;
  readonly errorTitle: string;
  readonly children: ReactNode;
}

/** Changes an object of the service. If somebody else changes the same properties, the user chooses their values. */
export function ChangeForm<Values extends FieldValues, Change>(
  props: ChangeFormProps<Values, Change>,
) {
  const { form, values, etag, mutation, toChange, errorTitle, children } = props;
  const base = useBaseVersion(form, { values, etag });
  const { isDirty } = form.formState;
  const [theirs, mine] = [props.describe(values), props.describe(form.getValues())];
  const conflicts = props.describe(base.values).flatMap(({ name, label, text }, at): Difference[] =>
    base.conflicts.includes(name)
      ? [
          {
            path: name,
            label,
            base: text,
            theirs: theirs[at]?.text ?? null,
            mine: mine[at]?.text ?? null,
          },
        ]
      : [],
  );
  return (
    <Form
      form={form}
      mutation={mutation}
      toBody={(sent) => ({ etag: base.etag, change: toChange(sent) })}
      onDone={(_result, sent) => base.accept(sent)}
      errorTitle={errorTitle}
      showsOtherErrors={conflicts.length === 0 || !hasStatus(mutation.error, 412)}
      submit={{ label: texts.save, disabled: !isDirty }}
    >
      {children}
      {conflicts.length > 0 && (
        <ConflictPanel
          takesFocus={mutation.isError}
          title={texts.changedWhileEditing}
          conflicts={conflicts}
          action="take"
          onResolve={(choices) => {
            base.resolve(choices);
            mutation.reset();
          }}
        />
      )}
      <UnsavedChangesGuard isUnsaved={isDirty} />
    </Form>
  );
}
