import * as texts from '#messages/queue-progress.ts';
import type { Menu as MantineMenu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWriteBlock } from '#web/api/session.queries.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { combineQueries } from '#web/api/combine-queries.ts';
import { FlagIcon } from '#web/ui/icons.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './queue-menu.module.css';
import { countsText } from './counts-text.ts';
import { flagsQuery, hasProgress, isUnfinished, queuesQuery } from './queue.queries.ts';

/** Number of flags in the menu; a separate list shows all. The menu shows all queues: the service keeps 50 per user. */
const MAX_FLAGS = 8;

interface QueueMenuItemsProps {
  readonly Menu: typeof MantineMenu;
  readonly archive: string;
  readonly onResume: (queueId: string) => void;
  readonly onFlagged: (revisionIds: readonly string[]) => void;
  /** shows all flags */
  readonly onList: () => void;
}

/** The queues that the user can resume, and the flagged revisions. */
export function QueueMenuItems(props: QueueMenuItemsProps) {
  const { Menu, archive, onResume, onFlagged, onList } = props;
  const block = useWriteBlock();
  const queues = useQuery(queuesQuery(archive));
  const flagged = useQuery(flagsQuery(archive));
  const flags = flagged.data ?? [];
  // The first one was used last: a user who has just left it looks for it, even if nothing was done in it.
  const unfinished = (queues.data ?? []).filter(
    (queue, index) => hasProgress(queue) || (index === 0 && isUnfinished(queue)),
  );
  return (
    <>
      <Menu.Label>{texts.resume}</Menu.Label>
      {(!queues.data || !flagged.data) && (
        <QueryPending query={combineQueries(queues, flagged)} title={texts.queuesNotRead} />
      )}
      {queues.data && unfinished.length === 0 && (
        <p className={classes.nothing}>{texts.noQueueWaiting}</p>
      )}
      <div className={classes.begun}>
        {unfinished.map((queue) => (
          <Menu.Item key={queue.queueId} onClick={() => onResume(queue.queueId)}>
            {queueText(queue)}
            <span className={`${shared.detail} ${shared.truncated}`}>
              {[countsText(queue.counts), localInstant(queue.usedAt)].filter(Boolean).join(' · ')}
            </span>
          </Menu.Item>
        ))}
      </div>
      <Menu.Divider />
      {flagged.data && (
        <Menu.Item
          leftSection={<FlagIcon size={15} />}
          disabled={flags.length === 0}
          {...block}
          onClick={() => onFlagged(flags.map(({ revisionId }) => revisionId))}
        >
          {flags.length === 0 ? texts.nothingFlagged : texts.goThroughFlagged(flags.length)}
        </Menu.Item>
      )}
      {flags.slice(0, MAX_FLAGS).map(({ revisionId, note }) => (
        <Menu.Item key={revisionId} {...block} onClick={() => onFlagged([revisionId])}>
          {texts.revision(revisionId)}
          {note !== '' && <span className={`${shared.detail} ${shared.truncated}`}>{note}</span>}
        </Menu.Item>
      ))}
      {flags.length > 0 && (
        <Menu.Item onClick={onList}>
          {flags.length > MAX_FLAGS ? texts.allFlags(flags.length) : texts.listOfFlags}
        </Menu.Item>
      )}
    </>
  );
}
