import { Loader } from '@mantine/core';
import classes from './page-pending.module.css';

/** Shown where a page takes longer than a blink to come. */
export function PagePending() {
  return (
    <div className={classes.place} role="status" aria-label="Loading">
      <Loader size="sm" aria-hidden="true" />
    </div>
  );
}
