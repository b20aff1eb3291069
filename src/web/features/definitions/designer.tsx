import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type UseFormReturn, useFieldArray, useForm } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { CheckList } from './check-list.tsx';
import { CreationForm } from './creation-form.tsx';
import { type DefinitionValues, emptyValues, toValues } from './definition-form.ts';
import type { CorrectMisfits } from './plan-dialog.tsx';
import { type Design, type DesignId, designIdOf, designQuery } from './design-storage.ts';
import { useStoredDesign } from './use-stored-design.ts';
import { FIRST_SELECTED, type Positions, type Selection, useSelection } from './use-selection.ts';
import { DefinitionForm } from './definition-change-form.tsx';
import { FieldList } from './field-list.tsx';
import { FieldProperties } from './field-properties.tsx';
import { nameAfterLabel } from './name-after-label.ts';
import { ListPreview } from './list-preview.tsx';
import { FormPreview } from './form-preview.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField, TextAreaField } from '#web/ui/form/form-fields.tsx';
import classes from './definitions.module.css';

/** What changes an existing archive or table. */
interface Changing {
  readonly saved: { readonly definition: CollectionDefinition; readonly etag: string | null };
  /** opens records to correct them */
  readonly onCorrect: CorrectMisfits;
  /** the initially selected field and check */
  readonly initial: Positions;
  readonly onSelect: (positions: Positions) => void;
}

interface DesignerProps {
  readonly kind: CollectionKind;
  /** null: a new archive or table is created */
  readonly changing: Changing | null;
}

/**
 * The designer of an archive or table: its fields in order, the properties of the selected one, and previews. Changes
 * that are not applied are restored when the user returns to the page.
 */
export function Designer({ kind, changing }: DesignerProps) {
  const { username } = useSession();
  const { guid = null, version = null } = changing?.saved.definition ?? {};
  const designId = useMemo(() => designIdOf(username, kind, guid), [username, kind, guid]);
  const { data: stored } = useQuery(designQuery(designId, version));
  if (stored === undefined) return <Spinner />;
  return <OpenDesigner kind={kind} changing={changing} designId={designId} stored={stored} />;
}

interface OpenDesignerProps extends DesignerProps {
  readonly designId: DesignId;
  readonly stored: Design | null;
}

function OpenDesigner({ kind, changing, designId, stored }: OpenDesignerProps) {
  const definition = changing?.saved.definition ?? null;
  const [saved] = useState(() => ({
    version: definition?.version ?? null,
    values: definition ? toValues(definition) : emptyValues(),
  }));
  const form = useForm<DefinitionValues>({ defaultValues: saved.values });
  const { restored, discard } = useStoredDesign(form, { designId, saved, stored });
  const initial = changing?.initial ?? FIRST_SELECTED;
  const selection = useSelection(form, kind, initial, (chosen) => changing?.onSelect(chosen));
  const editor = <Editor form={form} kind={kind} saved={definition} selection={selection} />;
  return (
    <>
      {restored && (
        <p role="status" className={classes.storedChanges}>
          {restored.isOutdated ? texts.outdatedChangesKept(restored.dropped) : texts.changesKept}
          <Button variant="default" onClick={discard}>
            {texts.discardChanges}
          </Button>
        </p>
      )}
      {changing ? (
        <DefinitionForm
          form={form}
          saved={changing.saved}
          jobId={stored?.jobId ?? null}
          onCorrect={changing.onCorrect}
          onRefused={selection.onRefused}
        >
          {editor}
        </DefinitionForm>
      ) : (
        <CreationForm form={form} kind={kind} onRefused={selection.onRefused}>
          {editor}
        </CreationForm>
      )}
    </>
  );
}

interface EditorProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly kind: CollectionKind;
  /** null: a new one */
  readonly saved: CollectionDefinition | null;
  readonly selection: Selection;
}

function Editor({ form, kind, saved, selection }: EditorProps) {
  const { field: selected } = selection;
  const { control } = form;
  // One for both: what one of two changes the other does not notice.
  const list = useFieldArray({ control, name: 'fields' });
  const properties = useRef<HTMLDivElement>(null);
  // The list of fields stays in view, so the page may be scrolled to the end of other properties.
  useOnChange(selected, () =>
    properties.current?.querySelector('legend')?.scrollIntoView({ block: 'nearest' }),
  );
  return (
    <>
      <div className={classes.head}>
        <TextField
          control={control}
          name="label"
          label={texts.label}
          required
          onLeave={() => nameAfterLabel(form)}
        />
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
        <div className={classes.fieldListCell}>
          <FieldList
            form={form}
            list={list}
            kind={kind}
            selected={selected}
            onSelect={selection.selectField}
            onAdd={selection.nameField}
          />
        </div>
        <div ref={properties}>
          <FieldProperties
            key={selected}
            form={form}
            list={list}
            kind={kind}
            definition={saved}
            index={selected}
            onFollow={selection.followField}
          />
        </div>
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
      <CheckList
        form={form}
        saved={saved}
        selected={selection.check}
        onSelect={selection.selectCheck}
      />
    </>
  );
}
