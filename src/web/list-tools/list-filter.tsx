import * as texts from '#messages/lists.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { Suggest } from '../fields/use-suggestions.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import type { FilterStripState } from './use-filter-strip.ts';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';

// Loaded with the editors of values, which no list needs at first.
const FilterStrip = lazyComponent(async () => (await import('./filter-strip.tsx')).FilterStrip);
const FilterChips = lazyComponent(async () => (await import('./filter-chips.tsx')).FilterChips);

interface ListFilterProps {
  readonly filter: FilterStripState;
  /** values in use of a field, for one-line texts */
  readonly suggest: (field: ListField) => Suggest;
  readonly collection: CollectionRef;
  /** what the list can be filtered by */
  readonly fields: readonly ListField[];
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
}

/** The filter of the list: the strip in which it is edited, otherwise its active conditions. */
export function ListFilter({ filter, suggest, ...list }: ListFilterProps) {
  const { view, onViewChange } = list;
  const { where = [] } = view;
  if (filter.isOpen) {
    return (
      <FilterStrip
        key={filter.request}
        collection={list.collection}
        fields={list.fields}
        begin={filter.begin}
        suggest={suggest}
        where={where}
        onFilter={(conditions) => onViewChange({ ...view, where: conditions })}
      />
    );
  }
  if (where.length === 0) return null;
  // The section has its height before its content is loaded.
  return (
    <section className={classes.chips} aria-label={texts.filteredBy}>
      <VisuallyHidden as="h2">{texts.filteredBy}</VisuallyHidden>
      <span className={classes.where}>{texts.only}</span>
      <FilterChips {...list} onEdit={() => filter.setOpen(true)} />
    </section>
  );
}
