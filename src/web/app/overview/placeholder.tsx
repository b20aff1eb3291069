import * as texts from '#messages/common.ts';
import classes from './overview.module.css';
import { Section } from '#web/ui/section.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

interface PlaceholderProps {
  readonly title: string;
  readonly rows: number;
}

/** Reserves the space of a section that is still loading. */
export function Placeholder({ title, rows }: PlaceholderProps) {
  return (
    <Section title={title}>
      <div className={classes.placeholder} role="status">
        <VisuallyHidden>{texts.loading}</VisuallyHidden>
        {Array.from({ length: rows }, (_, row) => (
          <span key={row} className={classes.placeholderRow} aria-hidden="true" />
        ))}
      </div>
    </Section>
  );
}
