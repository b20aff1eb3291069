import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PagePending } from '../page-pending.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import classes from './unframed.module.css';

/** A page without the side bar: nobody is signed in, or it is not known yet. */
export function Unframed({ children }: { readonly children: ReactNode }) {
  return <main className={classes.page}>{children}</main>;
}

export function UnframedPending() {
  return (
    <Unframed>
      <PagePending />
    </Unframed>
  );
}

export function UnframedError(props: ErrorComponentProps) {
  return (
    <Unframed>
      <ErrorPage {...props} />
    </Unframed>
  );
}

export function UnframedNotFound() {
  return (
    <Unframed>
      <NotFoundPage />
    </Unframed>
  );
}
