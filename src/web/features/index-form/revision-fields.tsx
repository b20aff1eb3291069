import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { storedIn } from '#web/fields/index-data.ts';
import { FieldGroups } from '#web/fields/field-groups.tsx';
import { labelStyle } from '#web/fields/label-style.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { fieldValueText } from '#web/fields/field-model.ts';
import type { LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import {
  contextualSuggestions,
  fillSourceOf,
  valuesOfOtherFields,
} from './contextual-suggestions.queries.ts';
import { FieldEditor } from './field-editor.tsx';
import type { Difference } from '#web/fields/conflict-panel.tsx';
import { inputName, storedFieldValue } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import classes from './index-form.module.css';
import type { RemoteChangeMark } from './field-notes.tsx';
import type { FormInputAssist } from './use-input-assist.ts';
import type { RevisionFormState } from './use-revision-form.ts';

interface RevisionFieldsProps {
  readonly archive: ArchiveDetail;
  readonly state: Pick<RevisionFormState, 'form' | 'fields' | 'base' | 'findings' | 'merged'>;
  readonly readOnly: boolean;
  /** the revision as last read */
  readonly latest: VersionedRevision;
  /** the fields that both have changed */
  readonly openConflicts: readonly Difference[];
  readonly assist: Pick<FormInputAssist, 'carriedOver' | 'notes' | 'actions'>;
  readonly autofill: Pick<LookUpAutofill, 'chosen'>;
  readonly inputAssist: InputAssist;
  /** the path of the field that has or last had the focus */
  readonly current: string | null;
}

/** The editors of all index fields and keyword fields, in the order of the definition. */
export function RevisionFields(props: RevisionFieldsProps) {
  const { assist, current } = props;
  const { form, fields, base, findings } = props.state;
  const { revision } = base;
  const { control } = form;
  const stored = useMemo(
    () => fields.map((field) => storedIn(revision, field)),
    [fields, revision],
  );
  const suggestions = useContextualSuggestions(props);
  const { textAt, fill } = useFilling(props);
  const marks = useMarks(props);
  return (
    <div className={classes.fields} style={labelStyle(fields.map(({ label }) => label))}>
      <FieldGroups
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
            findings={findings}
            isCarriedOver={assist.carriedOver.has(field.path)}
            actions={assist.actions}
            revisionId={revision.revisionId}
            inputAssist={props.inputAssist}
            isCurrent={current === field.path}
          />
        )}
      </FieldGroups>
    </div>
  );
}

/** The suggestions of each field: the same functions until the version or the definition changes. */
function useContextualSuggestions({ archive, state }: RevisionFieldsProps): readonly Suggest[] {
  const { fields, base } = state;
  const { revision } = base;
  const { getValues } = state.form;
  const client = useQueryClient();
  return useMemo(
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
}

/** What a choice from a table reads and fills in: the same functions in each render. */
function useFilling({ archive, state, autofill }: RevisionFieldsProps) {
  const { fields } = state;
  const { getValues, setValue } = state.form;
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
      autofill.chosen(from);
      for (const { name, text } of fills) {
        const at = positionOf(name);
        const isWritable = at >= 0 && fields[at]?.isReadOnly !== true;
        if (isWritable) setValue(inputName(at), text, { shouldValidate: true, shouldDirty: true });
      }
    },
    [positionOf, setValue, autofill, fields],
  );
  return { textAt, fill };
}

/** The changes by others in fields: those that the form has taken over, and those that it has not. */
function useMarks({ latest, state, openConflicts }: RevisionFieldsProps) {
  const nameOf = useNameOf();
  const marks = new Map<string, RemoteChangeMark>(state.merged);
  for (const { path, theirs } of openConflicts) {
    marks.set(path, {
      by: nameOf(latest.revision.changedBy),
      at: latest.revision.changedAt,
      theirs,
    });
  }
  return marks;
}
