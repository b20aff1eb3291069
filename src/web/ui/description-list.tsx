import type { ReactNode } from 'react';
import classes from './description-list.module.css';

/** Names and values in columns of at least `width` pixels. */
export function DescriptionList({
  width,
  children,
}: {
  readonly width: number;
  readonly children: ReactNode;
}) {
  return (
    <dl
      className={classes.facts}
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${width}px, 100%), 1fr))` }}
    >
      {children}
    </dl>
  );
}

export function DescriptionItem({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
