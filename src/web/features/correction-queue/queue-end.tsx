import * as texts from '#messages/queue.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { DoneMark } from '#web/ui/done-mark.tsx';
import { focusFirst } from '#web/ui/focus-first.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { flaggedInQuery } from './skipped-and-flagged.ts';
import { countsText } from './counts-text.ts';
import { QUEUE_KEYS } from './queue-keys.ts';
import shared from '#web/ui/shared.module.css';
import classes from './queue.module.css';
import { flagsQuery } from './queue.queries.ts';
import type { QueueNavigator } from './use-queue.ts';

interface QueueEndProps {
  readonly archive: string;
  readonly queueNavigator: QueueNavigator;
  readonly onLeave: () => void;
  /** starts a new queue of the skipped revisions */
  readonly onSkipped: () => void;
  readonly onFlagged: (revisionIds: readonly string[]) => void;
  /** further commands */
  readonly children: ReactNode;
}

/** Shown when every revision of the queue has been visited. */
export function QueueEnd(props: QueueEndProps) {
  const { archive, queueNavigator, onLeave, onSkipped, onFlagged, children } = props;
  // No form is mounted here to handle it.
  useShortcut(QUEUE_KEYS.back, queueNavigator.back);
  const { data: flags = [] } = useQuery(flagsQuery(archive));
  const { data: flaggedHere = [] } = useQuery(flaggedInQuery(archive, queueNavigator.queue, flags));
  const { total, counts } = queueNavigator;
  const flagged = flaggedHere.length > 0 && texts.countFlagged(flaggedHere.length);
  return (
    <div className={classes.end}>
      <DoneMark />
      <div role="status">
        <p className={classes.endTitle}>{texts.allSeen(total)}</p>
        <p className={shared.muted}>{[countsText(counts), flagged].filter(Boolean).join(' · ')}</p>
      </div>
      <div className={classes.endActions}>
        <Button ref={focusFirst} onClick={onLeave}>
          {texts.backToList}
        </Button>
        {counts.skipped > 0 && (
          <Button variant="default" onClick={onSkipped}>
            {texts.goThroughSkipped(counts.skipped)}
          </Button>
        )}
        {flaggedHere.length > 0 && (
          <Button variant="default" onClick={() => onFlagged(flaggedHere)}>
            {texts.goThroughFlagged(flaggedHere.length)}
          </Button>
        )}
        {flags.length > flaggedHere.length && (
          <Button
            variant="default"
            onClick={() => onFlagged(flags.map(({ revisionId }) => revisionId))}
          >
            {texts.goThroughAllFlagged(flags.length)}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
