import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated } from 'kysely';
import type { Access, Role } from '#shared/rules/rights.ts';

// The tables of users, groups, rights, sessions, devices, tokens and second factors.

export interface UserRow {
  id: Generated<number>;
  username: string;
  /** `username` in lower case */
  username_key: string;
  display_name: string;
  role: Role;
  password_hash: string;
  disabled: number;
  created_at: number;
  updated_at: number;
  email: string | null;
  /** 1: the password was generated, and the user must choose another one first */
  must_change_password: number;
  /** null: before this was stored */
  password_set_at: number | null;
  last_sign_in_at: number | null;
  /** the row stays, so that the username is never reused for another person */
  deleted_at: number | null;
}

export interface RightRow {
  kind: CollectionKind;
  thing_id: number;
  access: Access;
  /** JSON: `hidden`, `read` or `write` by the numbers of fields and keyword fields; null: no field has an entry */
  fields: string | null;
}

export interface UserRightRow extends RightRow {
  user_id: number;
}

/** A group of users; its members have its rights in addition to their own. */
export interface UserGroupRow {
  id: Generated<number>;
  name: string;
  /** `name` in lower case */
  name_key: string;
  label: string;
}

export interface GroupMemberRow {
  group_id: number;
  user_id: number;
}

export interface GroupRightRow extends RightRow {
  group_id: number;
}

export interface SessionRow {
  /** the public sessionId, which gives no access */
  id: string;
  token_hash: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  /** when the session ends: by its idle time or its maximum age, whichever comes first */
  expires_at: number;
  address: string | null;
  /** the `User-Agent` of the sign-in */
  client: string | null;
  /** the provider's session that signed in the user, '' if the provider names none; null: another kind of sign-in */
  provider_sid: string | null;
  /** when the user last proved their identity in this session */
  confirmed_at: number | null;
}

/** The authenticator app of a user. */
export interface TotpSecretRow {
  user_id: number;
  factor_id: string;
  name: string;
  /** encrypted (`modules/factors/sealing.ts`) */
  secret: string;
  /** the last time step whose code was accepted */
  last_step: number;
  created_at: number;
  last_used_at: number | null;
}

export interface PasskeyRow {
  factor_id: string;
  user_id: number;
  name: string;
  /** as authenticators name it, in base64url */
  credential_id: string;
  /** COSE, in base64url */
  public_key: string;
  /** the authenticator's signature counter; 0 if it has none */
  counter: number;
  /** JSON: the transports by which browsers reach the authenticator */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

/** A recovery code that is not used yet. */
export interface RecoveryCodeRow {
  user_id: number;
  /** Argon2id of the code */
  digest: string;
  /** the same for all codes of a user */
  salt: string;
}

/** A challenge that has been answered, stored until its expiry. */
export interface UsedChallengeRow {
  digest: string;
  expires_at: number;
}

/** A person's account at an OpenID Connect provider. */
export interface UserIdentityRow {
  issuer: string;
  subject: string;
  /** null: not linked with a user yet */
  user_id: number | null;
  /** the provider's name */
  provider: string;
  /** the username at the provider */
  username: string;
  /** `username` in lower case */
  username_key: string;
  seen_at: number | null;
}

/** Values that may be used once and were used: the digest of the state of a sign-in, or of a logout token. */
export interface UsedTokenRow {
  key: string;
  expires_at: number;
}

/** An administrator's read-only session that sees everything as another user does. */
export interface SessionViewRow {
  session_id: string;
  /** the user whose view the session has */
  user_id: number;
  started_at: number;
}

/** A browser in which a user has signed in before. */
export interface DeviceRow {
  token_hash: string;
  user_id: number;
  last_used_at: number;
}

/** The browser in which a session began; sessions of programs have none. */
export interface SessionDeviceRow {
  session_id: string;
  /** the `token_hash` of the device */
  device_hash: string;
}

/** A token by which programs call the service on behalf of a user. */
export interface AccessTokenRow {
  /** the public tokenId, which gives no access */
  id: string;
  /** SHA-256 of the token */
  token_hash: string;
  user_id: number;
  name: string;
  /** the first characters of the token, by which its owner recognises it */
  prefix: string;
  /** the greatest access that it gives */
  access: Access;
  /** JSON: the ids of the only archives and tables that it may access; null: all of its owner */
  archives: string | null;
  tables: string | null;
  /** 1: it allows the calls for administrators */
  configuration: number;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

export interface SignInFailureRow {
  key: string;
  failures: number;
  last_at: number;
}
