import * as texts from '#messages/lists.ts';
import type { ListView } from '#web/api/list-view.ts';
import { Button } from '../ui/button.tsx';
import { FilterIcon } from '../ui/icons.tsx';
import { SearchField } from './search-field.tsx';
import { FieldsMenu } from './fields-menu.tsx';
import { groupConditions } from './condition-groups.ts';
import { chosenFields, isSortable, type ListField } from './list-field.ts';
import shared from '#web/ui/shared.module.css';
import classes from './list-toolbar.module.css';
import { SortMenu } from './sort-menu.tsx';
import { viewWithColumns } from './view-with-columns.ts';

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
