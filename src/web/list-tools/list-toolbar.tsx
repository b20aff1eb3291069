import * as texts from '#messages/lists.ts';
import type { ListView } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { ColumnsIcon, FilterIcon, SortIcon } from '../ui/icons.tsx';
import { lazyUiModule } from '../ui/lazy-component.tsx';
import { LazyPopover } from '../ui/lazy-menu.tsx';
import { SearchField } from './search-field.tsx';
import type { FieldsChoiceProps } from './fields-choice.tsx';
import { groupConditions } from './condition-groups.ts';
import { chosenFields, isSortable, type ListField } from './list-field.ts';
import shared from '#web/ui/shared.module.css';
import classes from './list-toolbar.module.css';
import type { SortKeysProps } from './sort-keys.tsx';
import { viewWithColumns } from './view-with-columns.ts';

/** The popovers of the toolbar. */
const popovers = lazyUiModule(() => import('./popovers.ts'));

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
  const conditions = groupConditions(where).length;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={texts.list}>
      <FieldsMenu
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
      <Button
        variant={filtering ? 'light' : 'subtle'}
        color={conditions > 0 || filtering ? 'accent' : 'gray'}
        leftSection={<FilterIcon size={15} />}
        className={classes.button ?? ''}
        aria-label={conditions > 0 ? texts.filterCount(conditions) : texts.filter}
        aria-expanded={filtering}
        onClick={() => onFiltering(!filtering)}
      >
        <span className={classes.word}>{texts.filter}</span>{' '}
        {conditions > 0 && <span className={`${shared.badge} ${classes.count}`}>{conditions}</span>}
      </Button>
      <SortMenu
        fields={fields.filter(isSortable)}
        sort={sort}
        initially={initialOrder}
        onSort={(next) => onViewChange({ ...view, sort: next })}
      />
      <SearchField
        label={texts.searchIn(label)}
        q={q}
        onChange={(next) => onViewChange({ ...view, q: next })}
      />
    </div>
  );
}

/** The menu for choosing columns and their order. */
function FieldsMenu(props: FieldsChoiceProps) {
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

/** The menu for the sort keys of the list. */
function SortMenu(props: SortKeysProps) {
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
