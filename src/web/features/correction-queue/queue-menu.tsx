import { type Menu as MantineMenu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { queueWords } from '#web/api/queues.queries.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ChevronDownIcon, FlagIcon } from '#web/ui/icons.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import { keyLabel, type Shortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import classes from './queue-menu.module.css';
import { countWords } from './count-words.ts';
import { flagsQuery, isUnderWay, isUnfinished, queuesQuery } from './queue.queries.ts';

interface QueueMenuProps {
  readonly archive: ArchiveDetail;
  /** how many the list matches; null: not known yet */
  readonly count: number | null;
  /** the key that starts it, for the tip */
  readonly keys: Shortcut;
  readonly onStart: () => void;
  readonly onResume: (queueId: string) => void;
  readonly onFlagged: (revisionIds: readonly string[]) => void;
  /** shows one revision in the list */
  readonly onOpen: (revisionId: string) => void;
}

/** Flags in the menu; all stand in their own list. Queues all stand in it: the service keeps 50 of a user. */
const MOST_FLAGS = 8;

const FlagList = lazyComponent(async () => (await import('./flag-list.tsx')).FlagList, {
  place: 'over',
});

/** Corrects what the list matches, one after the other; or goes on where one was. */
export function QueueMenu(props: QueueMenuProps) {
  const { archive, count, keys, onStart, onResume, onFlagged, onOpen } = props;
  const [listing, setListing] = useState(false);
  const start =
    count === null
      ? 'Correct these'
      : `Correct ${count === 1 ? 'this one' : `these ${formatCount(count)}`}`;
  return (
    <div className={classes.menu}>
      <Button
        className={classes.start ?? ''}
        disabled={!count}
        title={`One after the other  ${keyLabel(keys)}`}
        onClick={onStart}
      >
        {start}
      </Button>
      <LazyMenu
        position="bottom-end"
        width={300}
        target={
          <IconButton
            variant="filled"
            color="accent"
            className={classes.more ?? ''}
            aria-label="Queues and flags"
          >
            <ChevronDownIcon size={15} />
          </IconButton>
        }
      >
        {(Menu) => (
          <>
            {/* Without an item that can have it, the menu would not get the cursor, nor hear Escape. */}
            <Menu.Item disabled={!count} onClick={onStart}>
              {start} from the first
            </Menu.Item>
            <Items
              Menu={Menu}
              archive={archive.table}
              onResume={onResume}
              onFlagged={onFlagged}
              onList={() => setListing(true)}
            />
          </>
        )}
      </LazyMenu>
      {listing && (
        <FlagList
          archive={archive}
          onFlagged={onFlagged}
          onOpen={onOpen}
          onClose={() => setListing(false)}
        />
      )}
    </div>
  );
}

interface ItemsProps extends Pick<QueueMenuProps, 'onResume' | 'onFlagged'> {
  readonly Menu: typeof MantineMenu;
  readonly archive: string;
  /** shows all flags */
  readonly onList: () => void;
}

function Items({ Menu, archive, onResume, onFlagged, onList }: ItemsProps) {
  const queues = useQuery(queuesQuery(archive));
  const { data: flags = [] } = useQuery(flagsQuery(archive));
  // The first is the one used last: a clerk who has just left it looks for it, even if nothing was done in it.
  const begun = (queues.data ?? []).filter(
    (queue, index) => isUnderWay(queue) || (index === 0 && isUnfinished(queue)),
  );
  return (
    <>
      <Menu.Label>Resume</Menu.Label>
      {!queues.data && <Spinner size={16} label="Loading the queues" />}
      {queues.data && begun.length === 0 && <p className={classes.nothing}>No queue is waiting.</p>}
      <div className={classes.begun}>
        {begun.map((queue) => (
          <Menu.Item key={queue.queueId} onClick={() => onResume(queue.queueId)}>
            {queueWords(queue)}
            <span className={classes.when}>
              {[countWords(queue.counts), localInstant(queue.usedAt)].filter(Boolean).join(' · ')}
            </span>
          </Menu.Item>
        ))}
      </div>
      <Menu.Divider />
      <Menu.Item
        leftSection={<FlagIcon size={15} />}
        disabled={flags.length === 0}
        onClick={() => onFlagged(flags.map(({ revisionId }) => revisionId))}
      >
        {flags.length === 0
          ? 'Nothing is flagged for later'
          : `Go through the ${formatCount(flags.length)} flagged for later`}
      </Menu.Item>
      {flags.slice(0, MOST_FLAGS).map(({ revisionId, note }) => (
        <Menu.Item key={revisionId} onClick={() => onFlagged([revisionId])}>
          Revision {revisionId}
          {note !== '' && <span className={classes.when}>{note}</span>}
        </Menu.Item>
      ))}
      {flags.length > 0 && (
        <Menu.Item onClick={onList}>
          {flags.length > MOST_FLAGS
            ? `All ${formatCount(flags.length)} flags…`
            : 'List of the flags…'}
        </Menu.Item>
      )}
    </>
  );
}
