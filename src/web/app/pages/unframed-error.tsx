import type { ErrorComponentProps } from '@tanstack/react-router';
import { Unframed } from '../unframed.tsx';
import { ErrorPage } from './error-page.tsx';

/** Shown if the frame itself fails. */
export function UnframedError({ error }: Pick<ErrorComponentProps, 'error'>) {
  return (
    <Unframed>
      <ErrorPage error={error} />
    </Unframed>
  );
}
