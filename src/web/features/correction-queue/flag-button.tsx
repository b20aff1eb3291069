import { Button, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { FlagIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import classes from './queue.module.css';
import { flagsQuery, setFlag } from './queue.queries.ts';
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
  const client = useQueryClient();
  const { data: flags } = useQuery(flagsQuery(archive));
  const flag = flags?.find((each) => each.revisionId === revisionId);
  const [opened, setOpened] = useState(false);
  const [note, setNote] = useState('');
  const open = () => {
    setNote(flag?.note ?? '');
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    onBack();
  };
  useShortcut(QUEUE_KEYS.flag, open, { inFields: true });
  useShortcut('Escape', close, { inFields: true, enabled: opened });

  const set = async (next: string | null, then: () => void) => {
    setOpened(false);
    then();
    try {
      await setFlag(client, archive, revisionId, next);
    } catch (error) {
      notify(`Revision ${revisionId} could not be flagged. ${summary(toFailure(error))}`);
    }
  };
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
          <Textarea
            ref={(text) => text?.focus()}
            label="What is to be done about it?"
            placeholder="A note for later; may stay empty"
            rows={3}
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              void set(note, onGoOn);
            }}
          />
          <div className={classes.flagFoot}>
            {flag && (
              <Button variant="subtle" color="gray" onClick={() => void set(null, onBack)}>
                Remove the flag
              </Button>
            )}
            <Button variant="default" onClick={() => void set(note, onBack)}>
              Flag
            </Button>
            <Button onClick={() => void set(note, onGoOn)}>Flag and go on</Button>
          </div>
        </div>
      )}
    </div>
  );
}
