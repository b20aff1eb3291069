import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { LaidOutFields } from '#web/fields/field-layout.tsx';
import type { Fill } from '#web/fields/look-up.ts';
import { fieldValueText } from '#web/fields/field-model.ts';
import {
  contextualSuggestions,
  fillSourceOf,
  valuesOfOtherFields,
} from './contextual-suggestions.queries.ts';
import { FieldEditor } from './field-editor.tsx';
import type { FormFindings } from './findings/findings-store.ts';
import { type FormValues, inputName, storedFieldValue } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import classes from './index-form.module.css';
import type { RemoteChangeMark } from './field-notes.tsx';
import type { TypedChoices } from './typed-choices.ts';
import type { FormInputAssist } from './use-input-assist.ts';

interface RevisionFieldsProps {
  readonly archive: ArchiveDetail;
  readonly fields: readonly ArchiveField[];
  /** the version that is being edited */
  readonly revision: RevisionDetail;
  readonly form: UseFormReturn<FormValues>;
  readonly readOnly: boolean;
  /** changes by others since the form was opened, by the paths of fields */
  readonly marks: ReadonlyMap<string, RemoteChangeMark>;
  readonly assist: Pick<FormInputAssist, 'carriedOver' | 'notes' | 'actions'>;
  readonly findings: FormFindings;
  readonly choices: Pick<TypedChoices, 'chosen'>;
  readonly inputAssist: InputAssist;
  /** the path of the field that has or last had the focus */
  readonly current: string | null;
}

/** The editors of all index fields and keyword fields, in the order of the definition. */
export function RevisionFields(props: RevisionFieldsProps) {
  const { archive, fields, revision, form, marks, assist, choices, current } = props;
  const { setValue, getValues, control } = form;
  const client = useQueryClient();
  const stored = useMemo(
    () => fields.map((field) => storedIn(revision, field)),
    [fields, revision],
  );
  const suggestions = useMemo(
    () =>
      fields.map((field, at): Suggest => (typed) => {
        const values = getValues();
        const context = {
          archive,
          field: field.name,
          given: valuesOfOtherFields(fields, values, at),
          now: fieldValueText(values.values[at] ?? null),
          stored: fieldValueText(storedFieldValue(revision, field)),
          source: fillSourceOf(archive, values, field.name),
        };
        return contextualSuggestions(client, context, typed);
      }),
    [archive, fields, getValues, revision, client],
  );
  const positionOf = useCallback(
    (name: string) =>
      archive.indexFieldDefinitions.findIndex((field) => nameKey(field.name) === nameKey(name)),
    [archive],
  );
  const textAt = useCallback(
    (name: string) => fieldValueText(getValues().values[positionOf(name)] ?? null),
    [getValues, positionOf],
  );
  const fill = useCallback(
    (fills: readonly Fill[], from: string) => {
      choices.chosen(from);
      for (const { name, text } of fills) {
        const at = positionOf(name);
        const isWritable = at >= 0 && fields[at]?.isReadOnly !== true;
        if (isWritable) setValue(inputName(at), text, { shouldValidate: true, shouldDirty: true });
      }
    },
    [positionOf, setValue, choices, fields],
  );

  return (
    <div className={classes.fields}>
      <LaidOutFields
        fields={fields}
        keyOf={({ path }) => path}
        layoutOf={({ definition }) => definition}
      >
        {(field, at) => (
          <FieldEditor
            field={field}
            inputName={inputName(at)}
            control={control}
            stored={stored[at] ?? null}
            readOnly={props.readOnly || field.isReadOnly}
            suggest={suggestions[at]}
            onFill={fill}
            textAt={textAt}
            note={assist.notes.get(field.path)}
            mark={marks.get(field.path)}
            findings={props.findings}
            isCarriedOver={assist.carriedOver.has(field.path)}
            actions={assist.actions}
            revisionId={revision.revisionId}
            inputAssist={props.inputAssist}
            isCurrent={current === field.path}
          />
        )}
      </LaidOutFields>
    </div>
  );
}
