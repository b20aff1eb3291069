import * as loadingTexts from '#messages/service/loading.ts';
import type { Transaction } from '#server/database/database.ts';
import { isSameJson } from '#server/lib/same-json.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { nameKey } from '#shared/rules/names.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { readMemberships, setGroupsOf } from '../groups/groups.service.ts';
import { hashPassword } from '../passwords/passwords.service.ts';
import { createUser, findUser, type User } from '../accounts/users.service.ts';
import { nameRights, resolveRights } from '../rights/named-rights.ts';
import { readOwnRights } from '../rights/rights.service.ts';
import type { LoadContext } from './load-collection.ts';
import { reportRefusal } from './load-report.ts';

type WantedUser = DefinitionFile['users'][number];

/**
 * Adds missing users. Existing ones stay as they are.
 * @returns whether all of them exist now
 */
export async function loadUsers(
  context: LoadContext,
  users: readonly WantedUser[],
): Promise<boolean> {
  const { report } = context;
  const counts = { added: 0, unchanged: 0, different: 0 };
  let whole = true;
  for (const wanted of users) {
    try {
      const what = await loadUser(context, wanted);
      counts[what] += 1;
    } catch (error) {
      const { username } = wanted;
      reportRefusal(report, error, (message) => loadingTexts.userProblem({ username, message }));
      whole = false;
    }
  }
  if (users.length > 0) {
    const parts = [
      ...(counts.added > 0 ? [loadingTexts.newUsers(counts.added)] : []),
      ...(counts.unchanged > 0 ? [loadingTexts.unchangedUsers(counts.unchanged)] : []),
      ...(counts.different > 0 ? [loadingTexts.differentUsers(counts.different)] : []),
    ];
    if (parts.length > 0) report.info(loadingTexts.userSummary(parts));
  }
  return whole;
}

async function loadUser(
  { database, actor, report }: LoadContext,
  wanted: WantedUser,
): Promise<'added' | 'unchanged' | 'different'> {
  const differences = await database.read(async (db) => {
    const user = await findUser(db, wanted.username);
    return user && (await differencesOf(db, user, wanted));
  });
  if (differences) {
    for (const line of differences)
      report.warn(loadingTexts.userProblem({ username: wanted.username, message: line }));
    return differences.length > 0 ? 'different' : 'unchanged';
  }
  // Hashing is slow, so it is done before the transaction.
  const passwordHash = await hashPassword(wanted.password, wanted.username);
  await database.write(async (db) => {
    const user = {
      username: wanted.username,
      displayName: displayNameOf(wanted),
      email: wanted.email ?? null,
      role: wanted.role,
      passwordHash,
      rights: resolveRights(await readDefinitions(db), wanted.rights ?? {}),
    };
    const { id } = await createUser(db, user, actor);
    await setGroupsOf(db, id, wanted.groups ?? [], actor);
  });
  return 'added';
}

function displayNameOf({ displayName, username }: WantedUser): string {
  return displayName ?? username;
}

async function differencesOf(db: Transaction, user: User, wanted: WantedUser): Promise<string[]> {
  const differences: string[] = [];
  const name = displayNameOf(wanted);
  if (user.displayName !== name) {
    differences.push(loadingTexts.displayNameDiffers({ displayName: user.displayName, name }));
  }
  if (user.role !== wanted.role) {
    differences.push(loadingTexts.roleDiffers({ role: user.role, role2: wanted.role }));
  }
  const defined = await readDefinitions(db);
  const fileRights = nameRights(defined, resolveRights(defined, wanted.rights ?? {}));
  const userRights = (await readOwnRights(db, 'user', [user.id])).get(user.id) ?? [];
  if (!isSameJson(fileRights, nameRights(defined, userRights))) {
    differences.push(loadingTexts.rightsDiffer);
  }
  if (wanted.groups) {
    const groups = await readMemberships(db, { users: [user.id] });
    const names = groups.map(({ groupName }) => nameKey(groupName)).sort();
    if (names.join() !== wanted.groups.map(nameKey).sort().join()) {
      differences.push(loadingTexts.groupsDiffer);
    }
  }
  if (user.disabled) differences.push(loadingTexts.userStaysDisabled);
  return differences;
}
