import * as texts from '#messages/queue.ts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '#web/ui/button.tsx';
import { LocalForm } from '#web/ui/form/form.tsx';
import { TextAreaField } from '#web/ui/form/form-fields.tsx';
import { KEEP_TYPED_VALUES } from '#web/ui/form/reset-options.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import classes from './queue.module.css';
import { joinNotes } from './queue.mutations.ts';

interface FlagNoteProps {
  /** the note of the flag; null: the revision is not flagged; undefined: not loaded yet */
  readonly note: string | null | undefined;
  /** stores the note, or removes the flag (null); a note that is not loaded yet stays before it */
  readonly onStore: (note: string | null) => void;
  readonly onClose: () => void;
  /** after the note: opens the next revision */
  readonly onGoOn: () => void;
}

/** Asks for the note of a flag. */
export function FlagNote({ note, onStore, onClose, onGoOn }: FlagNoteProps) {
  const form = useForm({ values: { note: note ?? '' }, resetOptions: KEEP_TYPED_VALUES });
  // Text that is typed before the note is loaded is appended to it.
  const isLoaded = note !== undefined;
  const wasLoaded = useRef(isLoaded);
  const prependNote = useEffectEvent(() => {
    const typed = form.getValues('note');
    if (note && typed !== note) {
      form.setValue('note', joinNotes(note, typed), { shouldDirty: true });
    }
  });
  useEffect(() => {
    if (isLoaded && !wasLoaded.current) prependNote();
    wasLoaded.current = isLoaded;
  }, [isLoaded]);
  const dialog = useRef<HTMLDivElement>(null);
  // Before the next key event, unlike `form.setFocus`: text typed right after the shortcut belongs to the note.
  useLayoutEffect(() => dialog.current?.querySelector('textarea')?.focus(), []);
  const isDone = useRef(false);
  const finish = (next: () => void) => {
    isDone.current = true;
    next();
  };
  const store = (next: string | null, then: () => void) => {
    onStore(next);
    finish(then);
  };
  useShortcut('Escape', () => finish(onClose), { inFields: true });
  // The keys that open another revision store the note as well.
  const leave = useEffectEvent(() => {
    const typed = form.getValues('note');
    if (!isDone.current && typed !== (note ?? '')) onStore(typed);
  });
  useEffect(() => () => leave(), []);
  return (
    // Not in a separate layer: text typed right after the shortcut must go into the note.
    <div ref={dialog} className={classes.flag} role="dialog" aria-label={texts.flagForLater}>
      <LocalForm
        form={form}
        onSubmit={(values) => store(values.note, onGoOn)}
        submit={{ label: texts.flagAndNext }}
        note={
          note != null && (
            <Button variant="subtle" color="gray" onClick={() => store(null, onClose)}>
              {texts.removeFlag}
            </Button>
          )
        }
        secondary={
          <Button variant="default" onClick={() => store(form.getValues('note'), onClose)}>
            {texts.flag}
          </Button>
        }
      >
        <TextAreaField
          control={form.control}
          name="note"
          label={texts.whatIsToDo}
          placeholder={texts.noteHint}
          rows={3}
          maxLength={2000}
          submitsByEnter
        />
      </LocalForm>
    </div>
  );
}
