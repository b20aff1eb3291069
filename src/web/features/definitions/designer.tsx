import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import { useSession } from '#web/api/session.queries.ts';
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
import { DefinitionForm } from './definition-form-of-saved.tsx';
import { FieldList } from './field-list.tsx';
import { FieldProperties } from './field-properties.tsx';
import { nameAfterLabel } from './names-of-labels.ts';
import { ListPreview } from './list-preview.tsx';
import { FormPreview } from './form-preview.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField, TextAreaField } from '#web/ui/form/form-fields.tsx';
import classes from './definitions.module.css';

interface SavedDesignerProps {
  readonly kind: CollectionKind;
  readonly saved: { readonly definition: CollectionDefinition; readonly etag: string | null };
  /** opens records to correct them */
  readonly onCorrect: CorrectMisfits;
  /** the initially selected field and check */
  readonly initial: Positions;
  readonly onSelect: (positions: Positions) => void;
}

/**
 * The designer of an existing archive or table: its fields in order, the properties of the selected one, and previews.
 * Changes that are not applied are there again when the user comes back to the page.
 */
export function SavedDesigner(props: SavedDesignerProps) {
  const { kind, saved, onCorrect, initial, onSelect } = props;
  const { definition } = saved;
  return (
    <Designer kind={kind} definition={definition} initial={initial} onSelect={onSelect}>
      {(form, refusal, editor) => (
        <DefinitionForm
          form={form}
          kind={kind}
          saved={saved}
          onCorrect={onCorrect}
          onRefused={refusal}
        >
          {editor}
        </DefinitionForm>
      )}
    </Designer>
  );
}

/** The designer of a new archive or table. */
export function NewDesigner({ kind }: { readonly kind: CollectionKind }) {
  return (
    <Designer kind={kind} definition={null} initial={FIRST_SELECTED} onSelect={() => undefined}>
      {(form, refusal, editor) => (
        <CreationForm form={form} kind={kind} onRefused={refusal}>
          {editor}
        </CreationForm>
      )}
    </Designer>
  );
}

interface DesignerProps {
  readonly kind: CollectionKind;
  /** null: a new one */
  readonly definition: CollectionDefinition | null;
  readonly initial: Positions;
  readonly onSelect: (positions: Positions) => void;
  /** the form with its editor, and what it does when the service refuses it */
  readonly children: (
    form: UseFormReturn<DefinitionValues>,
    onRefused: (failure: ApiFailure) => void,
    editor: ReactNode,
  ) => ReactNode;
}

function Designer(props: DesignerProps) {
  const { kind, definition } = props;
  const { username } = useSession();
  const guid = definition?.guid ?? null;
  const designId = useMemo(() => designIdOf(username, kind, guid), [username, kind, guid]);
  const { data: stored } = useQuery(designQuery(designId, definition?.version ?? null));
  return stored === undefined ? (
    <Spinner />
  ) : (
    <OpenDesigner {...props} designId={designId} stored={stored} />
  );
}

interface OpenDesignerProps extends DesignerProps {
  readonly designId: DesignId;
  readonly stored: Design | null;
}

function OpenDesigner(props: OpenDesignerProps) {
  const { kind, definition, initial, onSelect, children, designId, stored } = props;
  const [saved] = useState(() => ({
    version: definition?.version ?? null,
    values: definition ? toValues(definition) : emptyValues(),
  }));
  const form = useForm<DefinitionValues>({ defaultValues: saved.values });
  const { isRestored, discard } = useStoredDesign(form, { designId, saved, stored });
  const selection = useSelection(form, kind, initial, onSelect);
  const isOutdated = stored !== null && stored.version !== saved.version;
  return (
    <>
      {isRestored && (
        <p role="status" className={classes.storedChanges}>
          {isOutdated ? texts.outdatedChangesKept : texts.changesKept}
          <Button variant="default" onClick={discard}>
            {texts.discardChanges}
          </Button>
        </p>
      )}
      {children(
        form,
        selection.onRefused,
        <Editor form={form} kind={kind} saved={definition} selection={selection} />,
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
        <FieldList form={form} kind={kind} selected={selected} onSelect={selection.selectField} />
        <FieldProperties
          key={selected}
          form={form}
          kind={kind}
          definition={saved}
          index={selected}
          onMove={selection.followField}
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
      <CheckList
        form={form}
        saved={saved}
        selected={selection.check}
        onSelect={selection.selectCheck}
      />
    </>
  );
}
