import type { ReactNode } from 'react';
import classes from './unframed.module.css';

/** A page without the side bar: nobody is signed in, or this is not known yet. */
export function Unframed({ children }: { readonly children: ReactNode }) {
  return <main className={classes.page}>{children}</main>;
}
