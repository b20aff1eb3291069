import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values in columns of at least `width` pixels. */
export function FactList({
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

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
