import * as texts from '#messages/queue-menu.ts';
import { useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { useWriteBlock } from '#web/api/session.queries.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ChevronDownIcon } from '#web/ui/icons.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import { keyLabel, type Shortcut } from '#web/ui/shortcuts.ts';
import classes from './queue-menu.module.css';

interface QueueMenuProps {
  readonly archive: ArchiveDetail;
  /** the number of matches; null: unknown */
  readonly count: number | null;
  /** the key that starts it, for the tooltip */
  readonly keys: Shortcut;
  readonly onStart: () => void;
  readonly onResume: (queueId: string) => void;
  readonly onFlagged: (revisionIds: readonly string[]) => void;
  /** shows one revision in the list */
  readonly onOpen: (revisionId: string) => void;
}

const QueueMenuItems = lazyComponent(
  async () => (await import('./queue-menu-items.tsx')).QueueMenuItems,
);
const FlagList = lazyComponent(async () => (await import('./flag-list.tsx')).FlagList, {
  layout: 'overlay',
});

/** Starts a queue of the list's matches, or resumes one. */
export function QueueMenu(props: QueueMenuProps) {
  const { archive, count, keys, onStart, onResume, onFlagged, onOpen } = props;
  const block = useWriteBlock();
  const [listing, setListing] = useState(false);
  return (
    <div className={classes.menu}>
      <Button
        writes
        className={classes.start ?? ''}
        disabled={!count}
        title={texts.oneAfterTheOther(keyLabel(keys))}
        onClick={onStart}
      >
        {count === null ? texts.correctThese : texts.correctCount(count)}
      </Button>
      <LazyMenu
        position="bottom-end"
        width={300}
        target={
          <IconButton
            variant="filled"
            color="accent"
            className={classes.more ?? ''}
            aria-label={texts.queuesAndFlags}
          >
            <ChevronDownIcon size={15} />
          </IconButton>
        }
      >
        {(Menu) => (
          <>
            {/* Without a focusable item the menu would not get the focus, nor receive Escape. */}
            <Menu.Item disabled={!count} {...block} onClick={onStart}>
              {count === null ? texts.correctTheseFromFirst : texts.correctCountFromFirst(count)}
            </Menu.Item>
            <QueueMenuItems
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
