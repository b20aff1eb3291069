import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { CollectionDefinition, Kind } from './collection-definition.ts';
import { CheckList } from './check-list.tsx';
import { CreationForm } from './creation-form.tsx';
import { type DefinitionValues, newFieldValues, toValues } from './definition-form.ts';
import type { CorrectMisfits } from './plan-dialog.tsx';
import { useKeptDesign } from './use-kept-design.ts';
import { DefinitionForm } from './definition-form-of-saved.tsx';
import { FieldList } from './field-list.tsx';
import { FieldProperties } from './field-properties.tsx';
import { ListPreview } from './list-preview.tsx';
import { FormPreview } from './form-preview.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { TextAreaField } from './text-area-field.tsx';
import classes from './definitions.module.css';

interface SavedDesignerProps {
  readonly kind: Kind;
  readonly saved: { readonly definition: CollectionDefinition; readonly etag: string | null };
  /** opens records to correct them */
  readonly onCorrect: CorrectMisfits;
}

/**
 * The designer of an existing archive or table: its fields in order, the properties of the selected one, and previews.
 * Changes that are not applied are there again when the user comes back to the page.
 */
export function SavedDesigner({ kind, saved, onCorrect }: SavedDesignerProps) {
  const { definition } = saved;
  const form = useForm<DefinitionValues>({ defaultValues: toValues(definition) });
  const { isRestored, discard } = useKeptDesign(form, definition);
  return (
    <>
      {isRestored && (
        <p role="status" className={classes.kept}>
          {texts.changesKept}
          <Button variant="default" onClick={discard}>
            {texts.discardChanges}
          </Button>
        </p>
      )}
      <DefinitionForm form={form} kind={kind} saved={saved} onCorrect={onCorrect}>
        <Editor form={form} kind={kind} saved={definition} />
      </DefinitionForm>
    </>
  );
}

/** The designer of a new archive or table. */
export function NewDesigner({ kind }: { readonly kind: Kind }) {
  const form = useForm<DefinitionValues>({ defaultValues: emptyValues() });
  return (
    <CreationForm form={form} kind={kind}>
      <Editor form={form} kind={kind} saved={null} />
    </CreationForm>
  );
}

function emptyValues(): DefinitionValues {
  const first = newFieldValues(texts.newField(1), texts.newFieldLabel(1), false);
  return {
    name: '',
    label: '',
    description: '',
    fields: [first],
    uniqueTogether: '',
    checks: [],
    checksOff: [],
  };
}

interface EditorProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly kind: Kind;
  /** null: a new one */
  readonly saved: CollectionDefinition | null;
}

function Editor({ form, kind, saved }: EditorProps) {
  const [selected, setSelected] = useState(0);
  const { control } = form;
  return (
    <>
      <div className={classes.head}>
        <TextField control={control} name="label" label={texts.label} required />
        <TextField
          control={control}
          name="name"
          label={texts.tableName}
          description={texts.tableNameHint}
          required
        />
        <TextField control={control} name="description" label={texts.description} />
      </div>
      <div className={classes.editor}>
        <FieldList form={form} kind={kind} selected={selected} onSelect={setSelected} />
        <FieldProperties
          key={selected}
          form={form}
          kind={kind}
          definition={saved}
          index={selected}
        />
        <div className={classes.previews}>
          <FormPreview control={control} />
          <ListPreview control={control} />
        </div>
      </div>
      {kind === 'table' && (
        <TextAreaField
          control={control}
          name="uniqueTogether"
          label={texts.uniqueTogether}
          description={texts.uniqueTogetherHint}
        />
      )}
      <CheckList form={form} saved={saved} />
    </>
  );
}
