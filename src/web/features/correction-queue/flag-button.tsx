import * as texts from '#messages/queue.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { summary, toFailure } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { FlagIcon } from '#web/ui/icons.tsx';
import { notifyFailure } from '#web/ui/notify.ts';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import { FlagNote } from './flag-note.tsx';
import classes from './queue.module.css';
import { setFlag } from './queue.mutations.ts';
import { flagsQuery } from './queue.queries.ts';
import { QUEUE_KEYS } from './queue-keys.ts';

interface FlagButtonProps {
  readonly archive: string;
  readonly revisionId: string;
  readonly onGoOn: () => void;
  /** restores the focus */
  readonly onBack: () => void;
}

/** Flags the revision for later, with a note. Use the revision's id as key. */
export function FlagButton({ archive, revisionId, onGoOn, onBack }: FlagButtonProps) {
  const { data: flags } = useQuery(flagsQuery(archive));
  const flag = flags?.find((each) => each.revisionId === revisionId);
  const [opened, setOpened] = useState(false);
  const close = () => {
    setOpened(false);
    onBack();
  };
  useShortcut(QUEUE_KEYS.flag, () => flushSync(() => setOpened(true)), {
    inFields: true,
    writes: true,
  });

  const { mutate } = useMutation({
    ...setFlag(archive),
    onError: (error, ...rest) => {
      setFlag(archive).onError?.(error, ...rest);
      notifyFailure(texts.notFlagged({ id: revisionId, reason: summary(toFailure(error)) }));
    },
  });
  return (
    <div className={classes.flagPlace}>
      <Button
        writes
        variant={flag ? 'light' : 'subtle'}
        color={flag ? 'accent' : 'gray'}
        leftSection={<FlagIcon size={15} />}
        title={texts.flagForLaterByKey(keyLabel(QUEUE_KEYS.flag))}
        aria-expanded={opened}
        onClick={() => (opened ? close() : setOpened(true))}
      >
        {flag ? texts.flagged : texts.flag}
      </Button>
      {opened && (
        <FlagNote
          note={flags && (flag?.note ?? null)}
          onStore={(note) => mutate({ revisionId, note, appends: flags === undefined })}
          onClose={close}
          onGoOn={() => {
            setOpened(false);
            onGoOn();
          }}
        />
      )}
    </div>
  );
}
