import { lazyComponent } from '../ui/lazy-component.tsx';

/** The conditions of the list's filter; they come with the editors of values, and no list begins with either. */
export const FilterStrip = lazyComponent(
  async () => (await import('./filter-strip.tsx')).FilterStrip,
  {
    place: 'pane',
  },
);
