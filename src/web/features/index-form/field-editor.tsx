import { memo, type RefObject } from 'react';
import { type Control, type ControllerRenderProps, useController } from 'react-hook-form';
import { isList, type StoredContent, storedProblem } from '#web/fields/value-checks.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { type ControlProps, Field } from '#web/ui/field.tsx';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { formatFieldValue, isEdited, toFieldValue } from '#web/fields/field-model.ts';
import { FieldFindings } from './findings/field-findings.tsx';
import { DEFINITION_CHECKS } from '#web/findings/definition-checks.ts';
import type { FormFindings } from './findings/findings-store.ts';
import { useFindingsAt } from './findings/use-findings.ts';
import { highestSeverity } from '#web/findings/finding.ts';
import { FieldNotes, type RemoteChangeMark } from './field-notes.tsx';
import { focusEditor } from './form-focus.ts';
import { KEYS } from './form-keys.ts';
import { type InputName, type FormValues, SERVICE_ERROR } from './form-values.ts';
import classes from './input-assist.module.css';
import type { InputAssist } from './input-assist.ts';
import { PageSuggestionButton } from './page-suggestion-button.tsx';
import { CarryOverButton } from './carry-over-button.tsx';
import type { FieldNote } from './use-field-contents.ts';
import type { Filling } from './use-filling.ts';
import type { FieldActions } from './use-input-assist.ts';

interface FieldEditorProps {
  readonly field: ArchiveField;
  readonly inputName: InputName;
  readonly control: Control<FormValues>;
  readonly stored: StoredContent;
  readonly readOnly: boolean;
  readonly suggest: Suggest | undefined;
  readonly filling: Filling;
  readonly note: FieldNote | undefined;
  readonly mark: RemoteChangeMark | undefined;
  readonly findings: FormFindings;
  readonly isCarriedOver: boolean;
  readonly actions: RefObject<FieldActions>;
  readonly revisionId: string;
  readonly inputAssist: InputAssist;
  /** whether the field has or last had the focus */
  readonly isCurrent: boolean;
}

/**
 * One field of the form: its editor, its errors, and the stored value if it is changed. A keystroke renders no other
 * field.
 */
export const FieldEditor = memo(function FieldEditor(props: FieldEditorProps) {
  const { field, inputName, control, stored, readOnly, actions, isCurrent, findings } = props;
  const { path, label, definition } = field;
  const { field: input, fieldState } = useController({ control, name: inputName });
  const { value } = input;
  const edited = isEdited(field.definition, stored, value);
  const { error } = fieldState;
  const found = useFindingsAt(findings, path);
  const hasFindingOf = (names: readonly string[]) =>
    found.some(({ check }) => names.includes(check));
  // An error of the editor's content applies only while that is edited.
  const isShown = edited || error?.type === SERVICE_ERROR;
  const changedFrom = formatFieldValue(definition, toFieldValue(definition, stored), {
    grouped: true,
  });
  return (
    <div
      ref={(element) => input.ref(element && { focus: () => focusEditor(element) })}
      data-field={path}
      data-current={isCurrent || undefined}
      className={classes.shell}
    >
      <Field
        dense
        label={label}
        icon={definition && <ValueTypeIcon type={definition.type} size={13} />}
        required={definition?.required}
        description={definition?.description}
        isInvalid={found.some(({ isBlocking }) => isBlocking)}
        severity={highestSeverity(found)}
        errors={error?.message && isShown ? [error.message] : []}
        warning={
          // A check's message about the stored value is not repeated.
          edited || hasFindingOf(DEFINITION_CHECKS)
            ? undefined
            : (storedProblem(field.definition, stored) ?? undefined)
        }
        changedFrom={edited ? changedFrom : undefined}
        onRestore={readOnly ? undefined : () => actions.current.restore(path)}
        restoreKey={KEYS.restoreField}
        labelAction={
          readOnly ? null : (
            <CarryOverButton
              label={label}
              isCarriedOver={props.isCarriedOver}
              onToggle={() => actions.current.toggleCarryOver(path)}
            />
          )
        }
        note={
          <>
            {found.length > 0 && (
              <FieldFindings
                all={found}
                findings={findings}
                field={field}
                actions={actions}
                readOnly={readOnly}
              />
            )}
            {isCurrent && !readOnly && (
              <PageSuggestionButton
                revisionId={props.revisionId}
                field={field}
                value={value}
                inputAssist={props.inputAssist}
              />
            )}
            <FieldNotes
              field={field}
              value={value}
              isEdited={edited}
              isCurrent={isCurrent}
              note={props.note}
              mark={props.mark}
              isLookedUp={hasFindingOf(['_lookup'])}
              actions={actions}
            />
          </>
        }
      >
        {(shell) => <ContentEditor {...props} shell={shell} input={input} />}
      </Field>
    </div>
  );
});

interface ContentEditorProps extends FieldEditorProps {
  /** connects it to the label and the messages of the field */
  readonly shell: ControlProps;
  readonly input: ControllerRenderProps<FormValues, InputName>;
}

/** The editor of the field's keywords, or of its value. */
function ContentEditor(props: ContentEditorProps) {
  const { field, shell, input, stored, readOnly } = props;
  const { value, onChange, onBlur } = input;
  const { definition } = field;
  const common = { control: shell, onChange, onBlur, readOnly };
  if (isList(value)) return <KeywordsEditor {...common} value={value} />;
  return (
    definition && (
      <ValueEditor
        {...common}
        rules={definition}
        value={value}
        emptyAs={stored === '' ? '' : null}
        suggest={props.suggest}
        lookUp={{
          onFill: (fills) => props.filling.choose(fills, definition.name),
          textAt: props.filling.textAt,
        }}
      />
    )
  );
}
