import type { ReactNode } from 'react';
import * as texts from '#messages/common.ts';
import classes from './overview.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A section of the overview, which screen readers reach as a region and as a heading. */
export function Section({ title, children }: SectionProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  );
}

interface PlaceholderProps {
  readonly title: string;
  readonly rows: number;
}

/** Reserves the space of a section that is still loading. */
export function Placeholder({ title, rows }: PlaceholderProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.placeholder} role="status">
        <VisuallyHidden>{texts.loading}</VisuallyHidden>
        {Array.from({ length: rows }, (_, row) => (
          <span key={row} className={classes.placeholderRow} aria-hidden="true" />
        ))}
      </div>
    </section>
  );
}
