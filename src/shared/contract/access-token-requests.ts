import * as texts from '#messages/service/access-tokens.ts';
import * as z from 'zod';
import { ACCESS_LEVELS } from '../rules/rights.ts';
import { readInstant } from '../values/iso-dates.ts';
import { JsonNumber } from '../values/json.ts';
import { textSchema } from '../rules/text-schemas.ts';
import { givenNameSchema } from './workspace-requests.ts';

/** Ten years, in seconds. */
const MAX_LIFETIME = 10 * 366 * 24 * 60 * 60;

const lifetimeSchema = z
  .custom<JsonNumber>((value) => value instanceof JsonNumber, texts.lifetimeInvalid)
  .transform(({ source }) => Number(source))
  .refine(
    (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_LIFETIME,
    texts.lifetimeInvalid,
  )
  .meta({ description: 'seconds', type: 'integer', minimum: 1, maximum: MAX_LIFETIME });

/** Body of POST application/tokens. */
export const tokenByPasswordBody = z.strictObject({
  username: textSchema,
  password: textSchema,
  lifetime: lifetimeSchema,
});

const collectionsSchema = z.array(textSchema).max(500).optional();

/** Body of POST application/users/:username/tokens. */
export const createTokenBody = z.strictObject({
  token: z.strictObject({
    name: givenNameSchema,
    /** milliseconds since 1970 UTC */
    expiresAt: textSchema
      .transform(readInstant)
      .refine((instant) => typeof instant === 'number', texts.expiryInvalid)
      .transform(Number)
      .meta({
        description: 'ISO 8601 with an offset, in the future',
        type: 'string',
        pattern: String.raw`^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,3})?Z$`,
      }),
    right: z.enum(ACCESS_LEVELS),
    /** by table name or GUID; if `archives` or `tables` is given, the token can access only these */
    archives: collectionsSchema,
    tables: collectionsSchema,
    configuration: z.boolean().optional(),
  }),
});
export type CreateTokenBody = z.output<typeof createTokenBody>;
/** A new token, as it is sent. */
export type NewToken = z.input<typeof createTokenBody>['token'];
