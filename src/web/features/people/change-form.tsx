import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import type { CallError } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useBaseVersion } from './use-base-version.ts';

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
  /** the changed properties */
  readonly toChange: (values: Values) => Change;
  readonly errorTitle: string;
  readonly children: ReactNode;
}

/** Changes an object of the service, and offers to load it again if somebody else has changed the same properties. */
export function ChangeForm<Values extends FieldValues, Change>(
  props: ChangeFormProps<Values, Change>,
) {
  const { form, values, etag, mutation, toChange, errorTitle, children } = props;
  const base = useBaseVersion(form, { values, etag });
  const { isDirty } = form.formState;
  return (
    <Form
      form={form}
      mutation={mutation}
      toBody={(sent) => ({ etag: base.etag, change: toChange(sent) })}
      onDone={(_result, sent) => base.accept(sent)}
      errorTitle={errorTitle}
      submit={{ label: texts.save, disabled: !isDirty }}
      secondary={
        base.isOutdated && (
          <Button
            variant="default"
            onClick={() => {
              base.reload();
              mutation.reset();
            }}
          >
            {texts.loadAgain}
          </Button>
        )
      }
    >
      {children}
      <UnsavedChangesGuard isUnsaved={isDirty} />
    </Form>
  );
}
