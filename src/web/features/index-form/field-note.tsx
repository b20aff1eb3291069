import { type FieldValue, type FormField, isSameValue } from './form-values.ts';
import { inWords } from '#web/fields/value-text.ts';
import classes from './input-assist.module.css';
import type { FieldActions, FieldNote } from './use-input-assist.ts';

interface NoteOfFieldProps {
  readonly note: FieldNote | undefined;
  /** what the editor holds */
  readonly value: FieldValue;
  readonly field: FormField;
  readonly actions: FieldActions;
}

/** Names the source of a field's content, until it is changed. */
export function NoteOfField({ note, value, field, actions }: NoteOfFieldProps) {
  const { place, definition } = field;
  if (!note || !isSameValue(note.value, value)) return null;
  switch (note.kind) {
    case 'carried':
      return <p className={classes.note}>carried over from revision {note.from}</p>;
    case 'copied':
      return <p className={classes.note}>copied from revision {note.from}</p>;
    case 'restored':
      return <p className={classes.note}>from the history, {note.from}</p>;
    case 'unread':
      return <p className={classes.note}>taken from the document as it is written there</p>;
    case 'taken':
      return (
        <div className={classes.note}>
          <span>
            {note.written === value
              ? 'taken from the document'
              : `“${shortened(note.written)}” in the document`}
          </span>
          {definition &&
            note.others.map((meant) => (
              <button
                key={meant.text}
                type="button"
                className={classes.other}
                onClick={() => actions.readAs(place, meant)}
              >
                Read as {inWords(definition, meant.value)}
              </button>
            ))}
        </div>
      );
    default:
      return note satisfies never;
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
