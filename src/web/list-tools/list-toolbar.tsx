import * as texts from '#messages/lists.ts';
import type { ComponentProps } from 'react';
import type { ListView } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { ColumnsIcon, FilterIcon, SortIcon } from '../ui/icons.tsx';
import { lazyUiModule } from '../ui/lazy-component.tsx';
import { LazyPopover } from '../ui/lazy-menu.tsx';
import { SearchField } from './search-field.tsx';
import { groupConditions } from './condition-groups.ts';
import { chosenFields, isSortable, type ListField } from './list-field.ts';
import shared from '#web/ui/shared.module.css';
import classes from './list-toolbar.module.css';
import { viewWithColumns } from './view-with-columns.ts';

/** The popovers of the toolbar. */
const POPOVER = {
  module: lazyUiModule(() => import('./popovers.ts')),
  position: 'bottom-end',
  trapFocus: true,
  className: classes.menu ?? '',
} as const;

interface ListToolbarProps {
  /** the possible columns, which are also the sort keys, except for keyword fields */
  readonly fields: readonly ListField[];
  /** the name of the list: “Invoices” */
  readonly label: string;
  /** the default order in words: “By revision, ascending.” */
  readonly initialOrder: string;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly filtering: boolean;
  readonly onFiltering: (open: boolean) => void;
}

/** Fields, filter, sort and search of the list. */
export function ListToolbar(props: ListToolbarProps) {
  const { fields, label, initialOrder, view, onViewChange, filtering, onFiltering } = props;
  const { where = [], sort = [], q = '', columns } = view;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={texts.list}>
      <LazyPopover
        {...POPOVER}
        label={texts.fieldsOfList}
        target={
          <ToolbarButton
            word={texts.fields}
            leftSection={<ColumnsIcon size={15} />}
            color={columns ? 'accent' : 'gray'}
          />
        }
      >
        {({ FieldsChoice }) => (
          <FieldsChoice
            fields={fields}
            chosen={columns}
            onChoose={(chosen) => {
              const [before, after] = [columns, chosen].map((names) =>
                chosenFields(fields, names).map(({ name }) => name),
              );
              const { columns: _, ...others } = viewWithColumns(view, before ?? [], after ?? []);
              onViewChange(chosen ? { ...others, columns: chosen } : others);
            }}
          />
        )}
      </LazyPopover>
      <ToolbarButton
        word={texts.filter}
        count={groupConditions(where).length}
        countText={texts.filterCount}
        leftSection={<FilterIcon size={15} />}
        {...(filtering && { variant: 'light', color: 'accent' })}
        aria-expanded={filtering}
        onClick={() => onFiltering(!filtering)}
      />
      <LazyPopover
        {...POPOVER}
        label={texts.orderOfList}
        target={
          <ToolbarButton
            word={texts.sort}
            count={sort.length}
            countText={texts.sortCount}
            leftSection={<SortIcon size={15} />}
          />
        }
      >
        {({ SortKeys }) => (
          <SortKeys
            fields={fields.filter(isSortable)}
            sort={sort}
            initially={initialOrder}
            onSort={(next) => onViewChange({ ...view, sort: next })}
          />
        )}
      </LazyPopover>
      <SearchField
        label={texts.searchIn(label)}
        q={q}
        onChange={(next) => onViewChange({ ...view, q: next })}
      />
    </div>
  );
}

interface ToolbarButtonProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  readonly word: string;
  /** how many are chosen, in a badge */
  readonly count?: number;
  /** names the button while something is chosen */
  readonly countText?: (count: number) => string;
}

/** A button of the toolbar: on narrow screens without its word. Further properties come from the popover that it opens. */
function ToolbarButton(props: ToolbarButtonProps) {
  const { word, count = 0, countText, className = '', ...button } = props;
  return (
    <Button
      variant="subtle"
      color={count > 0 ? 'accent' : 'gray'}
      className={`${classes.button} ${className}`}
      aria-label={count > 0 && countText ? countText(count) : word}
      {...button}
    >
      <span className={classes.word}>{word}</span>{' '}
      {count > 0 && <span className={`${shared.badge} ${classes.count}`}>{count}</span>}
    </Button>
  );
}
