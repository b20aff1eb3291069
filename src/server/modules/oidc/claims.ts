import * as texts from '#messages/service/oidc.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { emailSchema } from '#shared/contract/configuration-people-requests.ts';
import type { OidcSettings } from '#server/settings/oidc-settings.ts';

/** The claims of a provider about a person: of the ID token, and of its userinfo. */
type Claims = Readonly<Record<string, unknown>>;

/** A person whom the provider has signed in. */
export interface ProviderPerson {
  readonly subject: string;
  /** the provider's own session; '' if it names none */
  readonly sid: string;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  /** the provider's names; null: not used */
  readonly groups: readonly string[] | null;
}

/** Longer subjects are against the specification, and no database can store NUL. */
const SUBJECT = /^[^\u0000]{1,255}$/u;
const MAX_DISPLAY_NAME_LENGTH = 200;

/** Whether the claims name everything that a sign-in needs. */
export function areComplete(claims: Claims, settings: OidcSettings): boolean {
  const { usernameClaim, groupsClaim, groupMap } = settings;
  const needed = groupMap ? [usernameClaim, groupsClaim] : [usernameClaim];
  return needed.every((name) => claims[name] !== undefined);
}

/**
 * How strong a sign-in was is taken only from the ID token, because its signature covers it.
 * @throws {ApiError} 403 if a claim that the settings require has none of its values
 */
export function requireClaims(
  idToken: Claims,
  { name: provider, requiredClaims }: OidcSettings,
): void {
  for (const [claim, accepted] of requiredClaims) {
    const given = idToken[claim];
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (!values.some((value) => accepted.some((one) => one === value))) {
      throw new ApiError('forbidden', texts.claimNotEnough({ provider, claim }));
    }
  }
}

/**
 * @throws {ApiError} 403 if the name is missing, or required groups are left out: without them a person might have too
 * many rights, or none
 */
export function personOf(claims: Claims, settings: OidcSettings): ProviderPerson {
  const { name: provider, usernameClaim } = settings;
  const { sub, sid, name, email } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw missing(provider, 'sub');
  const username = claims[usernameClaim];
  if (typeof username !== 'string' || username.trim() === '')
    throw missing(provider, usernameClaim);
  const parsedEmail = emailSchema.safeParse(email);
  return {
    subject: sub,
    sid: typeof sid === 'string' && SUBJECT.test(sid) ? sid : '',
    username: username.trim(),
    displayName: displayNameOf(name) ?? username.trim(),
    email: parsedEmail.success ? parsedEmail.data : null,
    groups: groupsOf(claims, settings),
  };
}

function missing(provider: string, claim: string): ApiError {
  return new ApiError('forbidden', texts.claimMissing({ provider, claim }));
}

function displayNameOf(name: unknown): string | null {
  if (typeof name !== 'string' || !name.isWellFormed() || /[\u0000-\u001f]/.test(name)) return null;
  return name.trim().slice(0, MAX_DISPLAY_NAME_LENGTH) || null;
}

function groupsOf(
  claims: Claims,
  { name: provider, groupMap, groupsClaim }: OidcSettings,
): readonly string[] | null {
  if (!groupMap) return null;
  const given = claims[groupsClaim];
  const groups = typeof given === 'string' ? [given] : given;
  if (isOverage(claims, groupsClaim) || !isTexts(groups)) {
    throw new ApiError('forbidden', texts.groupsMissing({ provider }));
  }
  return groups;
}

/**
 * Whether the provider reports that there are more groups than it sends (OpenID Connect Core 1.0, section 5.6.2;
 * Entra).
 */
function isOverage({ _claim_names: names, hasgroups }: Claims, groupsClaim: string): boolean {
  const isReferenced = typeof names === 'object' && names !== null && groupsClaim in names;
  return isReferenced || (hasgroups !== undefined && hasgroups !== false && hasgroups !== 'false');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
