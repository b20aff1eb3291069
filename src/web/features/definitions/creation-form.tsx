import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import { definitionLink } from '#web/api/list-link.ts';
import { Form } from '#web/ui/form/form.tsx';
import type { CollectionKind } from '#shared/rules/names.ts';
import { type DefinitionValues, toBody } from './definition-form.ts';
import { useCreateDefinition } from './definitions.mutations.ts';
import { renameReferences } from './renamed-fields.ts';
import { fieldAtOf } from './error-paths.ts';
import classes from './definitions.module.css';

interface CreationFormProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly kind: CollectionKind;
  /** shows the first error */
  readonly onRefused: (failure: ApiFailure) => void;
  readonly children: ReactNode;
}

/** Creates an archive or table from the form. */
export function CreationForm({ form, kind, onRefused, children }: CreationFormProps) {
  const navigate = useNavigate();
  return (
    <Form
      form={form}
      mutation={useCreateDefinition(kind)}
      toBody={(values) => toBody(kind, renameReferences(values), null)}
      onDone={(created) => void navigate(definitionLink(created))}
      onRefused={onRefused}
      fieldAt={fieldAtOf(form, kind)}
      isStored
      className={classes.designer}
      errorTitle={texts.notCreated}
      submit={{ label: texts.create }}
    >
      {children}
    </Form>
  );
}
