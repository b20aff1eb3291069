import * as texts from '#messages/common.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './page-pending.module.css';

/** Shown where a page takes longer to load. */
export function PagePending() {
  return (
    <div className={classes.page}>
      <Spinner size={26} label={texts.loading} />
    </div>
  );
}
