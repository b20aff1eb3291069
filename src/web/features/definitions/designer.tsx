import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { CollectionDefinition, Kind } from './collection-definition.ts';
import { CheckList } from './check-list.tsx';
import { CreationForm } from './creation-form.tsx';
import { type DefinitionValues, newFieldValues, toValues } from './definition-form.ts';
import { DefinitionForm } from './definition-form-of-saved.tsx';
import { FieldList } from './field-list.tsx';
import { FieldProperties } from './field-properties.tsx';
import { ListPreview } from './list-preview.tsx';
import { FormPreview } from './form-preview.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import classes from './definitions.module.css';

interface DesignerProps {
  readonly kind: Kind;
  /** null: a new one */
  readonly saved: {
    readonly definition: CollectionDefinition;
    readonly etag: string | null;
  } | null;
  /** corrects revisions in a queue; null: there are no queues */
  readonly onCorrect: ((revisionIds: readonly string[]) => void) | null;
}

/** The designer of an archive or table: its fields in order, the properties of the selected one, and the form preview. */
export function Designer({ kind, saved, onCorrect }: DesignerProps) {
  const form = useForm<DefinitionValues>({
    defaultValues: saved ? toValues(saved.definition) : emptyValues(),
  });
  return saved ? (
    <DefinitionForm form={form} kind={kind} saved={saved} onCorrect={onCorrect}>
      <Editor form={form} kind={kind} saved={saved.definition} />
    </DefinitionForm>
  ) : (
    <CreationForm form={form} kind={kind}>
      <Editor form={form} kind={kind} saved={null} />
    </CreationForm>
  );
}

function emptyValues(): DefinitionValues {
  const first = newFieldValues(texts.newField(1), texts.newFieldLabel(1), false);
  return { name: '', label: '', description: '', fields: [first], checks: [], checksOff: [] };
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
      <CheckList form={form} saved={saved} />
    </>
  );
}
