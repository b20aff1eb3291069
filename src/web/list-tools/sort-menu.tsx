import * as texts from '#messages/lists.ts';
import { Button } from '../ui/button.tsx';
import { SortIcon } from '../ui/icons.tsx';
import { LazyPopover } from '../ui/lazy-menu.tsx';
import shared from '#web/ui/shared.module.css';
import { popovers } from './lazy-popovers.ts';
import classes from './list-toolbar.module.css';
import type { SortKeysProps } from './sort-keys.tsx';

/** The menu for the sort keys of the list. */
export function SortMenu(props: SortKeysProps) {
  const { sort } = props;
  return (
    <LazyPopover
      module={popovers}
      position="bottom-end"
      trapFocus
      target={
        <Button
          variant="subtle"
          color={sort.length > 0 ? 'accent' : 'gray'}
          leftSection={<SortIcon size={15} />}
          className={classes.button ?? ''}
          aria-label={sort.length > 0 ? texts.sortCount(sort.length) : texts.sort}
        >
          <span className={classes.word}>{texts.sort}</span>{' '}
          {sort.length > 0 && (
            <span className={`${shared.badge} ${classes.count}`}>{sort.length}</span>
          )}
        </Button>
      }
      label={texts.orderOfList}
      className={classes.menu ?? ''}
    >
      {({ SortKeys }) => <SortKeys {...props} />}
    </LazyPopover>
  );
}
