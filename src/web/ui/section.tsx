import type { ReactNode } from 'react';
import shared from './shared.module.css';
import classes from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A titled part of a page, which screen readers reach as a region and as a heading. */
export function Section({ title, children }: SectionProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <h2 className={shared.quietHeading}>{title}</h2>
      {children}
    </section>
  );
}
