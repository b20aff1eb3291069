import * as texts from '#messages/service/oidc.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Message } from '#shared/messages/message.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { nameKey } from '#shared/rules/names.ts';
import { identityIssuer, type OidcSettings } from '#server/settings/oidc-settings.ts';
import type { SignInRequest } from '../accounts/begin-session.ts';
import {
  linkIdentity,
  readIdentity,
  writeIdentity,
  type IdentityKey,
} from '../accounts/identities.service.ts';
import type { Sessions } from '../accounts/sessions.service.ts';
import type { SignIn } from '../accounts/sign-in.service.ts';
import {
  createUser,
  findUser,
  findUserById,
  isReservedName,
  type User,
} from '../accounts/users.service.ts';
import { readGroupNames, readMemberships, setGroupsOf } from '../groups/groups.service.ts';
import type { Actor } from '../history/history.service.ts';
import { NO_PASSWORD } from '../passwords/passwords.service.ts';
import type { ProviderPerson } from './claims.ts';

/** The result for a person whom the provider has signed in. */
type ProviderSignIn =
  | { readonly signedIn: SignIn; readonly user: User }
  /** `user`: the user as whom the person would have been signed in */
  | { readonly refusal: ApiError; readonly user: User | null };

/**
 * Signs in the user who is linked with a person's account at the provider, or a new user. A user with the same name is
 * never linked automatically: the account is stored for an administrator to link.
 */
export async function signInPerson(
  db: Transaction,
  sessions: Sessions,
  settings: OidcSettings,
  person: ProviderPerson,
  request: SignInRequest,
): Promise<ProviderSignIn> {
  const { name: provider } = settings;
  const key = { issuer: identityIssuer(settings.issuer), subject: person.subject, provider };
  const known = await readIdentity(db, key);
  const linked =
    known && known.userId !== null ? (await findUserById(db, known.userId))?.user : undefined;
  const { username } = person;
  const refuse = async (message: Message, user: User | null): Promise<ProviderSignIn> => {
    const userId = linked?.id ?? null;
    await writeIdentity(db, { ...key, userId, username, seenAt: Date.now() });
    return { refusal: new ApiError('forbidden', message), user };
  };
  let user = linked;
  if (!user) {
    const taken = await findUser(db, username);
    if (taken) return refuse(texts.usernameTaken({ provider, username: taken.username }), taken);
    if (await isReservedName(db, username))
      return refuse(texts.usernameReserved({ username }), null);
    if (!settings.createUsers) return refuse(texts.noUser({ username }), null);
    user = await addUser(db, person, key, actorOf(null, username, request));
  }
  if (user.disabled) return refuse(texts.userDisabled({ username: user.username }), user);
  await writeIdentity(db, { ...key, userId: user.id, username, seenAt: Date.now() });
  const actor = actorOf(user.id, user.username, request);
  await setMappedGroups(db, user.id, settings, person, actor);
  const signedIn = await sessions.begin(db, user, { ...request, providerSid: person.sid });
  return { signedIn, user };
}

async function addUser(
  db: Transaction,
  { username, displayName, email }: ProviderPerson,
  key: IdentityKey & { readonly provider: string },
  actor: Actor,
): Promise<User> {
  const user = await createUser(
    db,
    { username, displayName, email, role: 'clerk', passwordHash: NO_PASSWORD, rights: [] },
    actor,
  );
  await linkIdentity(db, user, key, { ...actor, userId: user.id });
  return user;
}

/** Sets the memberships of the groups in the settings; those of other groups are managed by administrators. */
async function setMappedGroups(
  db: Transaction,
  userId: number,
  { groupMap }: OidcSettings,
  { groups }: ProviderPerson,
  actor: Actor,
): Promise<void> {
  if (!groupMap || !groups) return;
  const given = new Set(groups);
  const mapped = new Set([...groupMap.values()].flat().map(nameKey));
  const wanted = new Set(
    [...groupMap].flatMap(([name, ours]) => (given.has(name) ? ours.map(nameKey) : [])),
  );
  const current = await readMemberships(db, { users: [userId] });
  const others = current
    .map(({ groupName }) => groupName)
    .filter((name) => !mapped.has(nameKey(name)));
  // A group that does not exist here gives no right.
  const existing = [...(await readGroupNames(db)).values()];
  const names = [...others, ...existing.filter((name) => wanted.has(nameKey(name)))];
  await setGroupsOf(db, userId, names, actor);
}

function actorOf(
  userId: number | null,
  username: string,
  { client: { address }, call }: SignInRequest,
): Actor {
  return { userId, username, address, call };
}
