import * as texts from '#messages/lists.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import type { FilterChipsProps } from './filter-chips.tsx';
import classes from './list-toolbar.module.css';

const Chips = lazyComponent(async () => (await import('./filter-chips.tsx')).FilterChips, {
  layout: 'pane',
});

/** The active conditions of the list; empty if there are none. The strip has its height before its content is loaded. */
export function LazyFilterChips(props: FilterChipsProps) {
  const { where = [] } = props.view;
  if (where.length === 0) return null;
  return (
    <section className={classes.chips} aria-label={texts.filteredBy}>
      <VisuallyHidden as="h2">{texts.filteredBy}</VisuallyHidden>
      <span className={classes.where}>{texts.only}</span>
      <Chips {...props} />
    </section>
  );
}
