import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { type FormValues, storedKeywords, storedValue } from './form-values.ts';
import classes from './index-form.module.css';
import { IndexFieldEditor } from './index-field.tsx';
import { KeywordFieldEditor } from './keyword-field.tsx';
import type { OthersMark } from './others-mark.tsx';
import type { Refusal } from './field-errors.ts';
import { givenBeside, suggestInContext, valuesOfTable } from './contextual-suggestions.ts';
import { valueText } from '#web/fields/value-text.ts';
import type { Fill } from '#web/fields/look-up.ts';
import type { TypedChoices } from './typed-choices.ts';
import type { FormInputAssist } from './use-input-assist.ts';

interface FormFieldsProps {
  readonly archive: ArchiveDetail;
  /** the version that the editors stand on */
  readonly revision: RevisionDetail;
  readonly form: UseFormReturn<FormValues>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly readOnly: boolean;
  /** what others changed meanwhile, by the fields' places */
  readonly marks: ReadonlyMap<string, OthersMark>;
  readonly aids: Pick<FormInputAssist, 'pins' | 'notes' | 'acts'>;
  readonly choices: Pick<TypedChoices, 'chosen'>;
  /** the field that the cursor is in, or was in last */
  readonly here: string | null;
}

/** The editors of all index fields and keyword fields, in the order of the definition. */
export function FormFields(props: FormFieldsProps) {
  const { archive, revision, form, refusals, readOnly, marks, aids, choices, here } = props;
  const { setValue, getValues } = form;
  const client = useQueryClient();
  const suggestions = useMemo(
    () =>
      archive.indexFieldDefinitions.map(({ name }, at) =>
        suggestInContext(archive.table, name, {
          given: () => givenBeside(archive, getValues(), at),
          now: () => getValues().fields[at]?.text ?? null,
          stored: valueText(storedValue(revision, name)),
          ofTable: (typed, signal) =>
            valuesOfTable(client, archive, getValues(), name, typed, signal),
        }),
      ),
    [archive, getValues, revision, client],
  );
  const textAt = useCallback(
    (name: string) => {
      const at = archive.indexFieldDefinitions.findIndex(
        (field) => nameKey(field.name) === nameKey(name),
      );
      return getValues().fields[at]?.text ?? null;
    },
    [archive, getValues],
  );
  const fill = useCallback(
    (fills: readonly Fill[], from: string) => {
      choices.chosen(from);
      for (const { name, text } of fills) {
        const at = archive.indexFieldDefinitions.findIndex(
          (field) => nameKey(field.name) === nameKey(name),
        );
        if (at >= 0) setValue(`fields.${at}.text`, text, { shouldValidate: true });
      }
    },
    [archive, setValue, choices],
  );

  return (
    <div className={classes.fields}>
      {archive.indexFieldDefinitions.map((field, at) => (
        <IndexFieldEditor
          key={field.name}
          field={field}
          place={at}
          control={form.control}
          stored={storedValue(revision, field.name)}
          refusal={refusals.get(`indexFields.${field.name}`)}
          readOnly={readOnly}
          suggest={suggestions[at] ?? nothingToSuggest}
          onFill={fill}
          textAt={textAt}
          note={aids.notes.get(`indexFields.${field.name}`)}
          mark={marks.get(`indexFields.${field.name}`)}
          pinned={aids.pins.has(`indexFields.${field.name}`)}
          acts={aids.acts}
          here={here === `indexFields.${field.name}`}
        />
      ))}
      {archive.keywordFieldDefinitions.map((field, at) => (
        <KeywordFieldEditor
          key={field.name}
          field={field}
          place={at}
          control={form.control}
          stored={storedKeywords(revision, field.name)}
          messages={refusals.get(`keywordFields.${field.name}`)?.messages ?? []}
          readOnly={readOnly}
          note={aids.notes.get(`keywordFields.${field.name}`)}
          mark={marks.get(`keywordFields.${field.name}`)}
          pinned={aids.pins.has(`keywordFields.${field.name}`)}
          acts={aids.acts}
          here={here === `keywordFields.${field.name}`}
        />
      ))}
    </div>
  );
}

const nothingToSuggest = async () => [];
