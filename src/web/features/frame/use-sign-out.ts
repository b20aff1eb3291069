import { useMutation } from '@tanstack/react-query';
import { summary } from '#web/api/failure.ts';
import { signOut } from '#web/api/session.queries.ts';
import { notify } from '#web/ui/notify.ts';

/** Ends the session at the service; the person stays signed in, and is informed, where that fails. */
export function useSignOut(onSignedOut: () => void): () => void {
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: onSignedOut,
    onError: (error) => notify(`You are still signed in. ${summary(error.failure)}`),
  });
  return () => mutate();
}
