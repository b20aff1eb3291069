import { lazyComponent } from '../ui/lazy-component.tsx';

/** The conditions of the list's filter; loaded with the editors of values, which no list needs at first. */
export const LazyFilterStrip = lazyComponent(
  async () => (await import('./filter-strip.tsx')).FilterStrip,
  {
    layout: 'pane',
  },
);
