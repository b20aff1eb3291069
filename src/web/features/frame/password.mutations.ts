import * as texts from '#messages/password.ts';
import { useMutation } from '@tanstack/react-query';
import { accountPaths } from '#web/api/account-paths.ts';
import { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { ignoreBody, request, writeOnly } from '#web/api/request.ts';
import { useSession } from '#web/api/session.queries.ts';
import { notify } from '#web/ui/notify.ts';

/** Checks whether a new password would be accepted. @returns why not; null: accepted */
export function useCheckPassword() {
  const { username } = useSession();
  return useMutation({
    mutationFn: async (password: string): Promise<string | null> => {
      try {
        const options = {
          method: 'POST',
          gate: false,
          body: { password },
          parse: ignoreBody,
        } as const;
        await request(accountPaths.passwordChecks(username), options);
        return null;
      } catch (error) {
        const failure = error instanceof CallError ? error.failure : null;
        const objections = failure?.kind === 'api' ? failure.errors['password'] : undefined;
        if (!objections) throw error;
        return objections.join(' ');
      }
    },
  });
}

interface PasswordChange {
  readonly current: string;
  readonly password: string;
}

/** Changes the user's own password. Other sessions of the user end. */
export function useChangePassword() {
  const { username } = useSession();
  return useMutation({
    mutationFn: (body: PasswordChange) =>
      writeOnly(apiPaths.password(username), { method: 'PUT', body }),
    onSuccess: () => notify(texts.passwordChanged),
  });
}
