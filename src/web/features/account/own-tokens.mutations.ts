import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewToken } from '#shared/contract/access-token-requests.ts';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { accountPaths } from '#web/api/account-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import { useSession } from '#web/api/session.queries.ts';
import { accountKeys } from './account.queries.ts';

/** Creates a token. Only this answer contains its secret. */
export function useCreateToken() {
  const { username } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (token: NewToken) => {
      const data = await writeData(accountPaths.tokens(username), {
        method: 'POST',
        body: { token },
        parse: async (raw) => (await administrationAnswers()).createdAccessTokenAnswer.parse(raw),
      });
      return data.tokens[0]?.token ?? null;
    },
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.tokens }),
  });
}

export function useRevokeToken(tokenId: string) {
  const { username } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => writeOnly(accountPaths.token(username, tokenId), { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.tokens }),
  });
}
