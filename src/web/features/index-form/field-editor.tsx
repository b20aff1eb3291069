import { memo } from 'react';
import { type Control, useController } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import type { EditorProps } from '#web/fields/editor.ts';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';
import { LookUpEditor } from '#web/fields/look-up-editor.tsx';
import type { Fill } from '#web/fields/look-up.ts';
import { groupedHeld, momentHeld } from '#web/fields/typed-text.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { NoteOfField } from './field-note.tsx';
import { focusEditor } from './form-focus.ts';
import { KEYS } from './form-keys.ts';
import {
  fieldValueText,
  type FormField,
  type FormPath,
  type FormValues,
  type IndexFieldDefinition,
  isEdited,
  isList,
  SERVICE_ERROR,
  type Stored,
  storedProblem,
  toFieldValue,
} from './form-values.ts';
import classes from './input-assist.module.css';
import { NotInTable } from './not-in-table.tsx';
import { type OthersMark, OthersNote } from './others-mark.tsx';
import { PinButton } from './pin-button.tsx';
import type { FieldActions, FieldNote } from './use-input-assist.ts';

interface FieldEditorProps {
  readonly field: FormField;
  readonly path: FormPath;
  readonly control: Control<FormValues>;
  readonly stored: Stored;
  readonly readOnly: boolean;
  readonly suggest: Suggest;
  /** fills other fields from the chosen dataset of the field's table */
  readonly onFill: (fills: readonly Fill[], from: string) => void;
  /** the text of another index field */
  readonly textAt: (field: string) => string | null;
  readonly note: FieldNote | undefined;
  readonly mark: OthersMark | undefined;
  readonly isPinned: boolean;
  readonly actions: FieldActions;
  /** whether the field has the cursor, or had it last */
  readonly isCurrent: boolean;
}

/** One field of the form: its editor, its errors, and the stored value where it is changed. A keystroke renders no other. */
export const FieldEditor = memo(function FieldEditor(props: FieldEditorProps) {
  const { field, path, control, stored, readOnly, actions, isCurrent } = props;
  const { place, label, definition } = field;
  const { field: input, fieldState } = useController({ control, name: path });
  const { value } = input;
  const edited = isEdited(field, stored, value);
  const { error } = fieldState;
  // An error of the editor's own content holds only as long as that is edited.
  const isShown = edited || error?.type === SERVICE_ERROR;
  const before = toFieldValue(field, stored);
  const changedFrom = isList(before)
    ? fieldValueText(before) || null
    : definition && groupedHeld(definition, before);
  return (
    <div
      ref={(element) => input.ref(element && { focus: () => focusEditor(element) })}
      data-field={place}
      data-here={isCurrent || undefined}
      className={classes.place}
    >
      <Field
        dense
        label={label}
        icon={definition && <ValueTypeIcon type={definition.type} size={13} />}
        required={definition?.required}
        description={definition?.description}
        errors={error?.message && isShown ? [error.message] : []}
        warning={edited ? undefined : (storedProblem(field, stored) ?? undefined)}
        changedFrom={edited ? changedFrom : undefined}
        onRestore={readOnly ? undefined : () => actions.restore(place)}
        restoreKey={KEYS.restoreField}
        beside={
          readOnly ? null : (
            <PinButton label={label} pinned={props.isPinned} onPin={() => actions.pin(place)} />
          )
        }
        note={
          <>
            {definition && !isList(value) && (
              <TextNotes definition={definition} text={value} isTyped={edited && isCurrent} />
            )}
            {edited && (
              <NoteOfField note={props.note} value={value} field={field} actions={actions} />
            )}
            <OthersNote mark={props.mark} />
          </>
        }
      >
        {(shell) =>
          isList(value) ? (
            <KeywordsEditor
              control={shell}
              value={value}
              onChange={input.onChange}
              onBlur={input.onBlur}
              readOnly={readOnly}
              placeholder="Type and press Enter"
            />
          ) : (
            definition && (
              <TextEditor
                {...props}
                definition={definition}
                control={shell}
                value={value}
                onChange={input.onChange}
                onBlur={input.onBlur}
                emptyAs={stored === '' ? '' : null}
              />
            )
          )
        }
      </Field>
    </div>
  );
});

interface TextEditorProps
  extends
    Pick<FieldEditorProps, 'suggest' | 'onFill' | 'textAt'>,
    Omit<EditorProps, 'ref' | 'control'> {
  readonly definition: IndexFieldDefinition;
  readonly control: EditorProps['control'];
}

function TextEditor({ definition, suggest, onFill, textAt, ...props }: TextEditorProps) {
  const { control, value, onChange, onBlur, emptyAs, readOnly } = props;
  const editor = { control, value, onChange, onBlur, emptyAs, readOnly };
  return definition.optionsFrom ? (
    <LookUpEditor
      from={definition.optionsFrom}
      onFill={(fills) => onFill(fills, definition.name)}
      textAt={textAt}
      {...editor}
    />
  ) : (
    <ValueEditor
      rules={definition}
      suggest={definition.type === 'text' ? suggest : undefined}
      {...editor}
    />
  );
}

interface TextNotesProps {
  readonly definition: IndexFieldDefinition;
  readonly text: string | null;
  /** whether somebody may be typing the next word */
  readonly isTyped: boolean;
}

/** What the text of an editor does not show by itself. */
function TextNotes({ definition, text, isTyped }: TextNotesProps) {
  const { optionsFrom, type } = definition;
  const instant = momentHeld(definition, text);
  const spaces = type === 'text' && !isTyped ? spacesAround(text) : null;
  return (
    <>
      {optionsFrom && text !== null && text.trim() !== '' && (
        <NotInTable from={optionsFrom} text={text} />
      )}
      {instant !== null && <p className={classes.words}>{instant}</p>}
      {spaces !== null && <p className={classes.words}>{spaces}</p>}
    </>
  );
}

/** Spaces at the edges of a text, which a box does not show; null: it has none. */
function spacesAround(text: string | null): string | null {
  if (text === null || text === '') return null;
  const begins = text.trimStart() !== text;
  const ends = text.trimEnd() !== text;
  if (text.trim() === '') return 'Holds nothing but spaces.';
  if (begins && ends) return 'Begins and ends with a space.';
  if (begins) return 'Begins with a space.';
  return ends ? 'Ends with a space.' : null;
}
