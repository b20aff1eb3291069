import { useMemo } from 'react';
import { useNameOf } from '#web/api/display-names.queries.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { storedIn } from '#web/fields/index-data.ts';
import { FieldGroups } from '#web/fields/field-groups.tsx';
import { labelStyle } from '#web/fields/label-style.ts';
import { fieldValueText } from '#web/fields/field-model.ts';
import {
  contextualSuggestions,
  fillSourceOf,
  valuesOfOtherFields,
} from './contextual-suggestions.queries.ts';
import { FieldEditor } from './field-editor.tsx';
import { inputName, storedFieldValue } from './form-values.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import classes from './index-form.module.css';
import type { RemoteChangeMark } from './field-notes.tsx';
import type { FormModel } from './use-form-model.ts';

interface RevisionFieldsProps {
  readonly model: FormModel;
  /** the revision as last read */
  readonly latest: VersionedRevision;
}

/** The editors of all index fields and keyword fields, in the order of the definition. */
export function RevisionFields(props: RevisionFieldsProps) {
  const { state, assist, focus, readOnlyReason, inputAssist, filling } = props.model;
  const { form, fields, base, findings } = state;
  const { revision } = base;
  const { control } = form;
  const stored = useMemo(
    () => fields.map((field) => storedIn(revision, field)),
    [fields, revision],
  );
  const suggestions = useContextualSuggestions(props.model);
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
            readOnly={readOnlyReason !== undefined || field.isReadOnly}
            suggest={suggestions[at]}
            filling={filling}
            note={assist.notes.get(field.path)}
            mark={marks.get(field.path)}
            findings={findings}
            isCarriedOver={assist.carriedOver.has(field.path)}
            actions={assist.actions}
            revisionId={revision.revisionId}
            inputAssist={inputAssist}
            isCurrent={focus.current === field.path}
          />
        )}
      </FieldGroups>
    </div>
  );
}

/** The suggestions of each field: the same functions until the version or the definition changes. */
function useContextualSuggestions({ archive, state }: FormModel): readonly Suggest[] {
  const { fields, base } = state;
  const { revision } = base;
  const { getValues } = state.form;
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
        return contextualSuggestions(context, typed);
      }),
    [archive, fields, getValues, revision],
  );
}

/** The changes by others in fields: those that the form has taken over, and those that it has not. */
function useMarks({ latest, model: { state, openConflicts } }: RevisionFieldsProps) {
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
