import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as texts from '#messages/account.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { factorsQuery } from './account.queries.ts';

/** The form that changes the password, for those whose password is not a provider's. */
export function OwnPassword({ form }: { readonly form: ReactNode }) {
  const { username } = useSession();
  const { data, isPending } = useQuery(factorsQuery(username));
  if (isPending) return <Spinner />;
  const provider = data?.provider ?? null;
  return provider === null ? form : <p>{texts.passwordAt(provider)}</p>;
}
