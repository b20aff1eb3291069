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
  /** the greatest right that it gives, on what its owner has that right on */
  right: z.enum(ACCESS_LEVELS),
  /** the table names of the only archives that exist for it; null: all of its owner */
  archives: z.nullable(z.array(z.string())),
  /** the GUIDs of the only tables that exist for it; null: all of its owner */
  tables: z.nullable(z.array(z.string())),
  /** whether it opens the calls for administrators and those about the account */
  configuration: z.boolean(),
};

/** The named tokens of a user. */
export const accessTokensAnswer = z.object({ tokens: z.array(z.object(accessTokenShape)) });
export type AccessToken = z.infer<typeof accessTokensAnswer>['tokens'][number];

/** A new token; `token` is in this answer alone. */
export const madeAccessTokenAnswer = z.object({
  tokens: z.array(z.object({ ...accessTokenShape, token: z.optional(z.string()) })),
});

/** The answer of POST application/tokens: the token itself. */
export const tokensByPasswordAnswer = z.object({ tokens: z.array(z.string()) });
