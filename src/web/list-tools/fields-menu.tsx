import * as texts from '#messages/lists.ts';
import { Button } from '../ui/button.tsx';
import { ColumnsIcon } from '../ui/icons.tsx';
import { LazyPopover } from '../ui/lazy-menu.tsx';
import type { FieldsChoiceProps } from './fields-choice.tsx';
import { popovers } from './lazy-popovers.ts';
import classes from './list-toolbar.module.css';

/** The menu for choosing columns and their order. */
export function FieldsMenu(props: FieldsChoiceProps) {
  return (
    <LazyPopover
      module={popovers}
      position="bottom-end"
      trapFocus
      target={
        <Button
          variant="subtle"
          color={props.chosen ? 'accent' : 'gray'}
          leftSection={<ColumnsIcon size={15} />}
          className={classes.button ?? ''}
          aria-label={texts.fields}
        >
          <span className={classes.word}>{texts.fields}</span>
        </Button>
      }
      label={texts.fieldsOfList}
      className={classes.menu ?? ''}
    >
      {({ FieldsChoice }) => <FieldsChoice {...props} />}
    </LazyPopover>
  );
}
