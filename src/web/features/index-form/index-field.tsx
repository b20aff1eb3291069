import { memo } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { Scalar } from '#shared/values/values.ts';
import type { EditorProps } from '#web/fields/editor.ts';
import { groupedHeld, momentHeld } from '#web/fields/typed-text.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { Field } from '#web/ui/field.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { valueText } from '#web/fields/value-text.ts';
import { NoteOfField } from './field-note.tsx';
import { KEYS } from './form-keys.ts';
import classes from './input-assist.module.css';
import { NotInTable } from './not-in-table.tsx';
import { type OthersMark, OthersNote } from './others-mark.tsx';
import { PinButton } from './pin-button.tsx';
import type { Refusal } from './field-errors.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { LookUpEditor } from '#web/fields/look-up-editor.tsx';
import type { FieldActs, FieldNote } from './use-input-assist.ts';
import { flawOf, type FormValues, type IndexFieldDefinition, isEdited } from './form-values.ts';

interface IndexFieldEditorProps {
  readonly field: IndexFieldDefinition;
  readonly place: number;
  readonly control: Control<FormValues>;
  readonly stored: Scalar;
  readonly refusal: Refusal | undefined;
  readonly readOnly: boolean;
  readonly suggest: Suggest;
  /** fills other fields from the chosen dataset of the field's table */
  readonly onFill: (fills: readonly Fill[], from: string) => void;
  /** what stands in another index field now */
  readonly textAt: (field: string) => string | null;
  readonly note: FieldNote | undefined;
  readonly mark: OthersMark | undefined;
  readonly pinned: boolean;
  readonly acts: FieldActs;
  /** whether the cursor is here, or was here last */
  readonly here: boolean;
}

interface EditorOfFieldProps extends EditorProps {
  readonly field: IndexFieldDefinition;
  readonly suggest: Suggest;
  readonly onFill: (fills: readonly Fill[]) => void;
  /** what stands in another index field now */
  readonly textAt: (field: string) => string | null;
}

function Editor({ field, suggest, onFill, textAt, ...editor }: EditorOfFieldProps) {
  return field.optionsFrom ? (
    <LookUpEditor from={field.optionsFrom} onFill={onFill} textAt={textAt} {...editor} />
  ) : (
    <ValueEditor rules={field} suggest={field.type === 'text' ? suggest : undefined} {...editor} />
  );
}

/** One index field of the form: editor, checks while typing, the old value and what is wrong with it. */
export const IndexFieldEditor = memo(function IndexFieldEditor(props: IndexFieldEditorProps) {
  const { field, place, control, stored, refusal, readOnly, suggest, onFill, textAt, acts } = props;
  const { field: input, fieldState } = useController({ control, name: `fields.${place}.text` });
  const text = input.value;
  const before = valueText(stored, field);
  const edited = isEdited(field, stored, text);
  const flaw = edited ? null : flawOf(field, stored);
  const refused = refusal && refusal.text === text ? refusal.messages : [];
  const own = edited && fieldState.error?.message ? [fieldState.error.message] : [];
  const at = `indexFields.${field.name}`;
  const words = momentHeld(field, text);
  // Not while somebody types the next word.
  const edges = field.type === 'text' && !(edited && props.here) ? spacesAround(text) : null;
  const looksUp =
    field.optionsFrom && text !== null && text.trim() !== ''
      ? { from: field.optionsFrom, text }
      : undefined;
  return (
    <div data-field={at} data-here={props.here || undefined} className={classes.place}>
      <Field
        dense
        label={field.label}
        icon={<ValueTypeIcon type={field.type} size={13} />}
        required={field.required}
        description={field.description}
        errors={[...new Set([...own, ...refused])]}
        warning={flaw ?? undefined}
        changedFrom={edited ? groupedHeld(field, before) : undefined}
        onRestore={readOnly ? undefined : () => acts.revert(at)}
        restoreKey={KEYS.restoreField}
        beside={
          readOnly ? null : (
            <PinButton label={field.label} pinned={props.pinned} onPin={() => acts.pin(at)} />
          )
        }
        note={
          (words !== null || edges !== null || edited || props.mark || looksUp) && (
            <>
              {looksUp && <NotInTable from={looksUp.from} text={looksUp.text} />}
              {words !== null && <p className={classes.words}>{words}</p>}
              {edges !== null && <p className={classes.words}>{edges}</p>}
              {edited && (
                <NoteOfField note={props.note} held={text} field={field} place={at} acts={acts} />
              )}
              <OthersNote mark={props.mark} />
            </>
          )
        }
      >
        {(shell) => (
          <Editor
            field={field}
            control={shell}
            value={text}
            onChange={input.onChange}
            onBlur={input.onBlur}
            emptyAs={stored === '' ? '' : null}
            suggest={suggest}
            onFill={(fills) => onFill(fills, field.name)}
            textAt={textAt}
            readOnly={readOnly}
          />
        )}
      </Field>
    </div>
  );
});

/** What nobody sees in a box. */
function spacesAround(text: string | null): string | null {
  if (text === null || text === '') return null;
  const begins = text.trimStart() !== text;
  const ends = text.trimEnd() !== text;
  if (text.trim() === '') return 'Holds nothing but spaces.';
  if (begins && ends) return 'Begins and ends with a space.';
  if (begins) return 'Begins with a space.';
  return ends ? 'Ends with a space.' : null;
}
