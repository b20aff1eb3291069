import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { givenBeside, suggestInContext, valuesOfTable } from './contextual-suggestions.ts';
import { FieldEditor } from './field-editor.tsx';
import {
  fieldValueText,
  type FormField,
  type FormValues,
  pathOf,
  storedFieldValue,
  storedIn,
} from './form-values.ts';
import classes from './index-form.module.css';
import type { OthersMark } from './others-mark.tsx';
import type { TypedChoices } from './typed-choices.ts';
import type { FormInputAssist } from './use-input-assist.ts';

interface RevisionFieldsProps {
  readonly archive: ArchiveDetail;
  readonly fields: readonly FormField[];
  /** the version under the editors */
  readonly revision: RevisionDetail;
  readonly form: UseFormReturn<FormValues>;
  readonly readOnly: boolean;
  /** what others changed since the form was opened, by the fields' places */
  readonly marks: ReadonlyMap<string, OthersMark>;
  readonly assist: Pick<FormInputAssist, 'pins' | 'notes' | 'actions'>;
  readonly choices: Pick<TypedChoices, 'chosen'>;
  /** the place of the field that has the cursor, or had it last */
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
      fields.map((field, at) =>
        suggestInContext(archive.table, field.name, {
          given: () => givenBeside(fields, getValues(), at),
          now: () => fieldValueText(getValues().values[at] ?? null),
          stored: fieldValueText(storedFieldValue(revision, field)),
          ofTable: (typed, signal) =>
            valuesOfTable(client, archive, getValues(), field.name, typed, signal),
        }),
      ),
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
        if (at >= 0) setValue(pathOf(at), text, { shouldValidate: true, shouldDirty: true });
      }
    },
    [positionOf, setValue, choices],
  );

  return (
    <div className={classes.fields}>
      {fields.map((field, at) => (
        <FieldEditor
          key={field.place}
          field={field}
          path={pathOf(at)}
          control={control}
          stored={stored[at] ?? null}
          readOnly={props.readOnly}
          suggest={suggestions[at] ?? nothingToSuggest}
          onFill={fill}
          textAt={textAt}
          note={assist.notes.get(field.place)}
          mark={marks.get(field.place)}
          isPinned={assist.pins.has(field.place)}
          actions={assist.actions}
          isCurrent={current === field.place}
        />
      ))}
    </div>
  );
}

const nothingToSuggest = async () => [];
