import * as texts from '#messages/service/people.ts';
import * as z from 'zod';
import { FIELD_ACCESS_LEVELS, RIGHTS, ROLES } from '../rules/rights.ts';
import { byName } from './by-name.ts';
import { nameSchema } from '../rules/name-schemas.ts';
import { storableText, textSchema } from '../rules/text-schemas.ts';

const rightSchema = z.union([
  z.enum(RIGHTS),
  z.strictObject({
    right: z.enum(RIGHTS),
    fields: byName(z.enum(FIELD_ACCESS_LEVELS)).optional(),
  }),
]);

const rightsByNameSchema = byName(rightSchema).optional();

/** Rights by the names or GUIDs of archives and tables (docs/interface/administration.md, section 2). */
export const namedRightsSchema = z.strictObject({
  archives: rightsByNameSchema,
  tables: rightsByNameSchema,
});
export type NamedRights = z.output<typeof namedRightsSchema>;

const MAX_EMAIL_LENGTH = 254;

export const emailSchema = textSchema
  .max(MAX_EMAIL_LENGTH)
  .regex(/^[^\s@\u0000]+@[^\s@\u0000]+$/u, texts.emailInvalid)
  .nullable();

const userShape = {
  displayName: storableText(200).min(1).optional(),
  email: emailSchema.optional(),
  role: z.enum(ROLES).optional(),
  /** by name */
  groups: z.array(textSchema).max(500).optional(),
  rights: namedRightsSchema.optional(),
};

export const createUserBody = z.strictObject({
  user: z.strictObject({ username: textSchema, password: textSchema.optional(), ...userShape }),
});
export type CreateUserBody = z.output<typeof createUserBody>;

export const changeUserBody = z.strictObject({
  user: z.strictObject({ active: z.boolean().optional(), ...userShape }),
});
export type ChangeUserBody = z.output<typeof changeUserBody>;

export const linkIdentityBody = z.strictObject({
  identity: z.strictObject({
    /** if it differs from the issuer in the settings */
    issuer: storableText(1_000).min(1).optional(),
    subject: storableText(255).min(1),
  }),
});

const groupShape = {
  label: storableText(200).optional(),
  rights: namedRightsSchema.optional(),
  /** usernames */
  members: z.array(textSchema).max(10_000).optional(),
};

export const createGroupBody = z.strictObject({
  group: z.strictObject({ name: nameSchema, ...groupShape }),
});
export type CreateGroupBody = z.output<typeof createGroupBody>;

export const changeGroupBody = z.strictObject({ group: z.strictObject(groupShape) });
export type ChangeGroupBody = z.output<typeof changeGroupBody>;
