import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FlagIcon } from '#web/ui/icons.tsx';
import { TextArea } from '#web/ui/inputs/text-area.tsx';
import { notify } from '#web/ui/notify.ts';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import classes from './queue.module.css';
import { setFlag } from './queue.mutations.ts';
import { flagsQuery } from './queue.queries.ts';
import { QUEUE_KEYS } from './queue-keys.ts';

interface FlagButtonProps {
  readonly archive: string;
  readonly revisionId: string;
  readonly onGoOn: () => void;
  /** puts the cursor back where it was */
  readonly onBack: () => void;
}

/** Puts the revision aside for later, with a note. Give it the revision's id as key. */
export function FlagButton({ archive, revisionId, onGoOn, onBack }: FlagButtonProps) {
  const { data: flags } = useQuery(flagsQuery(archive));
  const flag = flags?.find((each) => each.revisionId === revisionId);
  const [opened, setOpened] = useState(false);
  const [note, setNote] = useState('');
  // A note that was typed and is neither stored nor dropped yet.
  const typed = useRef<string | null>(null);
  const open = () => {
    setNote(flag?.note ?? '');
    setOpened(true);
  };
  const close = () => {
    typed.current = null;
    setOpened(false);
    onBack();
  };
  useShortcut(QUEUE_KEYS.flag, open, { inFields: true });
  useShortcut('Escape', close, { inFields: true, enabled: opened });

  const { mutate } = useMutation({
    ...setFlag(archive),
    onError: (error, ...rest) => {
      setFlag(archive).onError?.(error, ...rest);
      notify(`Revision ${revisionId} could not be flagged. ${summary(toFailure(error))}`);
    },
  });
  const keep = (note: string | null) => {
    typed.current = null;
    mutate({ revisionId, note });
  };
  const set = (next: string | null, then: () => void) => {
    setOpened(false);
    keep(next);
    then();
  };
  // Moving on by a key from within the note stores it as well.
  const leave = useEffectEvent(() => {
    if (typed.current !== null) keep(typed.current);
  });
  useEffect(() => () => leave(), []);
  return (
    <div className={classes.flagPlace}>
      <Button
        variant={flag ? 'light' : 'subtle'}
        color={flag ? 'accent' : 'gray'}
        leftSection={<FlagIcon size={15} />}
        title={`Flag for later  ${keyLabel(QUEUE_KEYS.flag)}`}
        aria-expanded={opened}
        onClick={() => (opened ? close() : open())}
      >
        {flag ? 'Flagged' : 'Flag'}
      </Button>
      {opened && (
        // Stands here, not in a layer of its own: what is typed right after the key goes into the note.
        <div className={classes.flag} role="dialog" aria-label="Flag for later">
          <Field label="What is to be done about it?">
            {(tied) => (
              <TextArea
                {...tied}
                ref={(text) => text?.focus()}
                placeholder="A note for later; may stay empty"
                rows={3}
                maxLength={2000}
                value={note}
                onChange={(event) => {
                  typed.current = event.currentTarget.value;
                  setNote(event.currentTarget.value);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing)
                    return;
                  event.preventDefault();
                  set(note, onGoOn);
                }}
              />
            )}
          </Field>
          <div className={classes.flagFoot}>
            {flag && (
              <Button variant="subtle" color="gray" onClick={() => set(null, onBack)}>
                Remove the flag
              </Button>
            )}
            <Button variant="default" onClick={() => set(note, onBack)}>
              Flag
            </Button>
            <Button onClick={() => set(note, onGoOn)}>Flag and next</Button>
          </div>
        </div>
      )}
    </div>
  );
}
