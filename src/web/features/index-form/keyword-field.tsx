import { memo } from 'react';
import { type Control, useController } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { NoteOfField } from './field-note.tsx';
import { KEYS } from './form-keys.ts';
import classes from './index-form.module.css';
import {
  type FormValues,
  keywordProblem,
  type KeywordFieldDefinition,
  sameKeywords,
} from './form-values.ts';
import { type OthersMark, OthersNote } from './others-mark.tsx';
import { PinButton } from './pin-button.tsx';
import type { FieldActs, FieldNote } from './use-input-assist.ts';
import { KeywordsEditor } from '#web/fields/keywords-editor.tsx';

interface KeywordFieldEditorProps {
  readonly field: KeywordFieldDefinition;
  readonly place: number;
  readonly control: Control<FormValues>;
  readonly stored: readonly string[];
  readonly messages: readonly string[];
  readonly readOnly: boolean;
  readonly note: FieldNote | undefined;
  readonly mark: OthersMark | undefined;
  readonly pinned: boolean;
  readonly acts: FieldActs;
  /** whether the cursor is here, or was here last */
  readonly here: boolean;
}

/** One keyword field: its values as chips; Enter adds one, Backspace takes the last away. */
export const KeywordFieldEditor = memo(function KeywordFieldEditor(props: KeywordFieldEditorProps) {
  const { field, place, control, stored, messages, readOnly, acts } = props;
  const { field: input } = useController({ control, name: `keywords.${place}.values` });
  const edited = !sameKeywords(input.value, stored);
  const problem = edited ? keywordProblem(input.value) : null;
  const at = `keywordFields.${field.name}`;
  return (
    <div data-field={at} data-here={props.here || undefined} className={classes.place}>
      <Field
        dense
        label={field.label}
        errors={problem === null ? messages : [problem]}
        changedFrom={edited ? (stored.length === 0 ? null : stored.join(', ')) : undefined}
        onRestore={readOnly ? undefined : () => acts.revert(at)}
        restoreKey={KEYS.restoreField}
        beside={
          readOnly ? null : (
            <PinButton label={field.label} pinned={props.pinned} onPin={() => acts.pin(at)} />
          )
        }
        note={
          (edited || props.mark) && (
            <>
              {edited && (
                <NoteOfField note={props.note} held={input.value} place={at} acts={acts} />
              )}
              <OthersNote mark={props.mark} />
            </>
          )
        }
      >
        {(shell) => (
          <KeywordsEditor
            control={shell}
            value={input.value}
            onChange={input.onChange}
            onBlur={input.onBlur}
            readOnly={readOnly}
            placeholder="Type and press Enter"
          />
        )}
      </Field>
    </div>
  );
});
