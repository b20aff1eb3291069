import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';

export const lifetimeInvalid =
  'It must be a whole number of seconds, at least 1 and at most ten years.';
export const expiryInvalid =
  'It must be a time with its offset, written as YYYY-MM-DDTHH:mm:ssZ or YYYY-MM-DDTHH:mm:ss+hh:mm.';
export const alreadyExpired = coded(
  'accessTokens.alreadyExpired',
  'The token has to expire in the future.',
);
export const livesTooLong = coded(
  'accessTokens.livesTooLong',
  ({ days }: { days: number }) =>
    `A token may be valid for at most ${formatCount(days)} days here. Choose an earlier date.`,
);
export const tooMany = coded(
  'accessTokens.tooMany',
  ({ max }: { max: number }) =>
    `You already have ${formatCount(max)} tokens, which is the maximum. Revoke one that you do not need.`,
);
export const noToken = coded('accessTokens.noToken', 'There is no token with this id.');
export const ownOnly = coded(
  'accessTokens.ownOnly',
  'You can see and create only your own tokens.',
);
export const configuration = coded(
  'accessTokens.configuration',
  'Only administrators can create tokens that open the administration.',
);
export const configurationIsUnlimited = coded(
  'accessTokens.configurationIsUnlimited',
  'The administration shows all archives and tables. Name none of them, or create a token without the administration.',
);
