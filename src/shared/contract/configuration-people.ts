import * as z from 'zod/mini';
import { instantSchema } from './common-schemas.ts';
import { ACCESS_LEVELS, FIELD_ACCESS_LEVELS, ROLES } from '../rules/rights.ts';

/** The right on one archive or table; with `fields` if fields have their own entries. */
const rightSchema = z.union([
  z.enum(ACCESS_LEVELS),
  z.object({
    right: z.enum(ACCESS_LEVELS),
    /** by the names of fields, and `keyword.NAME` */
    fields: z.record(z.string(), z.enum(FIELD_ACCESS_LEVELS)),
  }),
]);

/** Rights in answers: by the table names of archives and the GUIDs of tables. */
const rightsSchema = z.object({
  archives: z.record(z.string(), rightSchema),
  tables: z.record(z.string(), rightSchema),
});
export type Rights = z.infer<typeof rightsSchema>;

/** A user as administrators see it (docs/interface/administration.md, section 2). */
const configuredUserSchema = z.object({
  username: z.string(),
  displayName: z.string(),
  email: z.nullable(z.string()),
  role: z.enum(ROLES),
  active: z.boolean(),
  /** the names of the groups, in their order */
  groups: z.array(z.string()),
  /** the user's own rights, without those of groups */
  rights: rightsSchema,
  createdAt: instantSchema,
  lastSignInAt: z.nullable(instantSchema),
  /** `password`, or the name of the provider */
  signInBy: z.string(),
  /** whether a second factor is set up */
  secondFactor: z.boolean(),
});
export type ConfiguredUser = z.infer<typeof configuredUserSchema>;

const pageMeta = z.object({
  pagination: z.object({
    total: z.number(),
    limit: z.number(),
    /** the `after` of the next page; null on the last one */
    next: z.nullable(z.string()),
  }),
});

export const configuredUsersAnswer = z.object({
  users: z.array(configuredUserSchema),
  meta: pageMeta,
});
export const configuredUserAnswer = z.object({ users: z.array(configuredUserSchema) });
export const createdUserAnswer = z.object({
  users: z.array(configuredUserSchema),
  /** only in this answer, if no password was given */
  oneTimePassword: z.optional(z.string()),
  oneTimePasswordExpiresAt: z.optional(instantSchema),
});
export const oneTimePasswordAnswer = z.object({
  oneTimePassword: z.string(),
  oneTimePasswordExpiresAt: instantSchema,
});
export type OneTimePassword = z.infer<typeof oneTimePasswordAnswer>;

/** A person's account at the provider (docs/interface/administration.md, section 8). */
const identitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** the provider's name */
  provider: z.string(),
  /** as the provider names the person */
  username: z.string(),
  /** of the last sign-in, also if it was refused */
  seenAt: z.nullable(instantSchema),
  /** whether the user signs in with it; if not, an administrator may link it */
  isLinked: z.boolean(),
});
export type Identity = z.infer<typeof identitySchema>;
export const identitiesAnswer = z.object({ identities: z.array(identitySchema) });

/** A session as administrators and its user see it. */
const openSessionSchema = z.object({
  sessionId: z.string(),
  username: z.string(),
  since: instantSchema,
  lastSeenAt: instantSchema,
  address: z.nullable(z.string()),
  /** the `User-Agent` of the sign-in */
  client: z.nullable(z.string()),
});
export type OpenSession = z.infer<typeof openSessionSchema>;
export const openSessionsAnswer = z.object({ sessions: z.array(openSessionSchema) });

const groupSchema = z.object({
  name: z.string(),
  label: z.string(),
  rights: rightsSchema,
  /** the usernames of its members, in their order */
  members: z.array(z.string()),
});
export type Group = z.infer<typeof groupSchema>;
export const groupsAnswer = z.object({ groups: z.array(groupSchema) });

const accessSchema = z.object({
  archive: z.optional(z.string()),
  table: z.optional(z.string()),
  right: z.enum(ACCESS_LEVELS),
  /** every field, and `keyword.NAME` */
  fields: z.array(z.object({ name: z.string(), access: z.enum(FIELD_ACCESS_LEVELS) })),
  /** the sources of the right: `role NAME`, `group NAME`, `own right` */
  because: z.array(z.string()),
});
export type AccessEntry = z.infer<typeof accessSchema>;
export const accessAnswer = z.object({ access: z.array(accessSchema) });
