import type { IndexFieldDefinition } from './form-values.ts';
import { type Held, isSameFieldValue } from './field-value.ts';
import { inWords } from '#web/fields/value-text.ts';
import classes from './input-assist.module.css';
import type { FieldActs, FieldNote } from './use-input-assist.ts';

interface NoteOfFieldProps {
  readonly note: FieldNote | undefined;
  /** what stands in the editor */
  readonly held: Held;
  /** absent for keywords */
  readonly field?: IndexFieldDefinition;
  readonly place: string;
  readonly acts: FieldActs;
}

/** Says where what stands in a field comes from, as long as it stands there. */
export function NoteOfField({ note, held, field, place, acts }: NoteOfFieldProps) {
  if (!note || !isSameFieldValue(note.held, held)) return null;
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
            {note.written === held
              ? 'taken from the document'
              : `“${shortened(note.written)}” in the document`}
          </span>
          {field &&
            note.others.map((meant) => (
              <button
                key={meant.text}
                type="button"
                className={classes.other}
                onClick={() => acts.reread(place, meant)}
              >
                Read as {inWords(field, meant.value)}
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
