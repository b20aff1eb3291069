import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { AnsweredPlan } from '#shared/contract/configuration-definitions.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import { Form } from '#web/ui/form/form.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import { type DefinitionBody, type DefinitionValues, toBody } from './definition-form.ts';
import type { CorrectMisfits } from './plan-dialog.tsx';
import { useFollowChange, usePlanDefinition } from './definitions.mutations.ts';
import { renameReferences } from './renamed-fields.ts';
import { fieldAtOf } from './error-paths.ts';
import classes from './definitions.module.css';

const PlanDialog = lazyDialog(async () => (await import('./plan-dialog.tsx')).PlanDialog);

interface DefinitionFormProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly saved: { readonly definition: CollectionDefinition; readonly etag: string | null };
  /** the job that applies the changes that were typed before; null: none */
  readonly jobId: string | null;
  readonly onCorrect: CorrectMisfits;
  /** shows the first error */
  readonly onRefused: (failure: ApiFailure) => void;
  readonly children: ReactNode;
}

interface Planned {
  readonly plan: AnsweredPlan;
  readonly body: DefinitionBody;
}

/** Changes a definition: the changes are planned and shown before they are applied. */
export function DefinitionForm(props: DefinitionFormProps) {
  const { form, saved, jobId, onCorrect, onRefused, children } = props;
  const { definition, etag } = saved;
  const { kind } = definition;
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const follow = useEffectEvent(useFollowChange(definition));
  useEffect(() => {
    if (jobId !== null) follow(jobId);
  }, [jobId]);
  const bodyOf = (values: DefinitionValues) => toBody(kind, renameReferences(values), definition);
  return (
    <>
      <Form
        form={form}
        mutation={usePlanDefinition(definition, etag, form.getValues)}
        toBody={bodyOf}
        onDone={(plan, sent) => {
          setPlanned({ plan, body: bodyOf(sent) });
          setIsOpen(true);
        }}
        onRefused={onRefused}
        fieldAt={fieldAtOf(form, kind)}
        isStored
        className={classes.designer}
        errorTitle={texts.notPlanned}
        submit={{ label: texts.previewChanges }}
      >
        {children}
      </Form>
      {planned && (
        <PlanDialog
          opened={isOpen}
          onClose={() => setIsOpen(false)}
          definition={definition}
          etag={etag}
          plan={planned.plan}
          body={planned.body}
          typed={form.getValues}
          onCorrect={onCorrect}
        />
      )}
    </>
  );
}
