import * as z from 'zod/mini';
import { ACCESS_LEVELS } from '../rules/rights.ts';

const accessTokenShape = {
  tokenId: z.string(),
  name: z.string(),
  /** the first characters of the token, by which its owner recognises it */
  prefix: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** to the minute; null: never */
  lastUsedAt: z.nullable(z.string()),
  /** the highest right that the token gives; its owner must have it too */
  right: z.enum(ACCESS_LEVELS),
  /** the table names of the only archives that the token can access; null: all of its owner's */
  archives: z.nullable(z.array(z.string())),
  /** the GUIDs of the only tables that the token can access; null: all of its owner's */
  tables: z.nullable(z.array(z.string())),
  /** whether it allows the calls for administrators and those about the account */
  configuration: z.boolean(),
};

/** The named tokens of a user. */
export const accessTokensAnswer = z.object({ tokens: z.array(z.object(accessTokenShape)) });
export type AccessToken = z.infer<typeof accessTokensAnswer>['tokens'][number];

/** A new token; `token` is only in this answer. */
export const createdAccessTokenAnswer = z.object({
  tokens: z.array(z.object({ ...accessTokenShape, token: z.optional(z.string()) })),
});

/** The answer of POST application/tokens: the token itself. */
export const tokensByPasswordAnswer = z.object({ tokens: z.array(z.string()) });
