import * as loadingTexts from '#messages/service/loading.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { ApiError, textsOf } from '#shared/contract/errors.ts';
import { isSameName } from '#shared/rules/names.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import type { Actor } from '../history/history.service.ts';
import { hashPassword } from '../accounts/passwords.service.ts';
import {
  createUser,
  findUser,
  grantedByCollection,
  type StoredRight,
  type User,
} from '../accounts/users.service.ts';
import { counted } from '#server/report-texts.ts';
import type { LoadReport } from './report.ts';

type WantedUser = DefinitionFile['users'][number];

/** Rights by the names of tables and the table names of archives. */
export interface NamedRights {
  readonly archives?: Readonly<Record<string, StoredRight['access']>> | undefined;
  readonly tables?: Readonly<Record<string, StoredRight['access']>> | undefined;
}

/**
 * Adds missing users. Existing ones stay as they are.
 * @returns whether all of them exist now
 */
export async function loadUsers(
  database: Database,
  users: readonly WantedUser[],
  actor: Actor,
  report: LoadReport,
): Promise<boolean> {
  const counts = { added: 0, unchanged: 0, different: 0 };
  let whole = true;
  for (const wanted of users) {
    try {
      const what = await loadUser(database, wanted, actor, report);
      counts[what] += 1;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      for (const message of Object.values(textsOf(error.messages)).flat()) {
        report.fail(loadingTexts.user({ username: wanted.username, message }));
      }
      whole = false;
    }
  }
  if (users.length > 0) {
    const parts = [
      ...(counts.added > 0 ? [`${counted(counts.added, 'user', 'users')} new`] : []),
      ...(counts.unchanged > 0 ? [`${counts.unchanged} exist unchanged`] : []),
      ...(counts.different > 0 ? [`${counts.different} exist and differ (kept)`] : []),
    ];
    if (parts.length > 0) report.say(loadingTexts.users(parts.join(', ')));
  }
  return whole;
}

async function loadUser(
  database: Database,
  wanted: WantedUser,
  actor: Actor,
  report: LoadReport,
): Promise<'added' | 'unchanged' | 'different'> {
  const differences = await database.read(async (db) => {
    const user = await findUser(db, wanted.username);
    return user && (await differencesOf(db, user, wanted));
  });
  if (differences) {
    for (const line of differences) report.warn(`User ${wanted.username}: ${line}`);
    return differences.length > 0 ? 'different' : 'unchanged';
  }
  // Hashing is slow, so it is done before the transaction.
  const passwordHash = await hashPassword(wanted.password, wanted.username);
  await database.write(async (db) => {
    const user = {
      username: wanted.username,
      displayName: wanted.displayName ?? wanted.username,
      role: wanted.role,
      passwordHash,
      rights: await resolveRights(db, wanted.rights ?? {}),
    };
    await createUser(db, user, actor);
  });
  return 'added';
}

/**
 * The rights of a user by the names of archives and tables.
 * @throws {ApiError} 422 naming unknown archives and tables
 */
export async function resolveRights(db: Transaction, wanted: NamedRights): Promise<StoredRight[]> {
  const defined = await readDefinitions(db);
  const rights: StoredRight[] = [];
  const problems: string[] = [];
  for (const [kind, collections, given] of [
    ['archive', defined.archives, wanted.archives],
    ['table', defined.tables, wanted.tables],
  ] as const) {
    for (const [name, access] of Object.entries(given ?? {})) {
      const collection = collections.find((known) => isSameName(known.name, name));
      if (collection) rights.push({ kind, collectionId: collection.id, access });
      else problems.push(loadingTexts.noRights({ kind, name }));
    }
  }
  if (problems.length > 0) throw new ApiError('validation_failed', { rights: problems });
  return rights;
}

async function differencesOf(db: Transaction, user: User, wanted: WantedUser): Promise<string[]> {
  const differences: string[] = [];
  const name = wanted.displayName ?? wanted.username;
  if (user.displayName !== name) {
    differences.push(
      loadingTexts.displayNameStaysFileSays({ displayName: user.displayName, name }),
    );
  }
  if (user.role !== wanted.role) {
    differences.push(loadingTexts.roleStaysFileSays({ role: user.role, role2: wanted.role }));
  }
  const [fileRights, userRights] = [
    await resolveRights(db, wanted.rights ?? {}),
    await storedRights(db, user),
  ];
  const keys = (rights: readonly StoredRight[]) =>
    rights
      .map(({ kind, collectionId, access }) => `${kind} ${collectionId} ${access}`)
      .sort()
      .join();
  if (keys(fileRights) !== keys(userRights))
    differences.push(loadingTexts.rightsDifferFromFileStay);
  if (user.disabled) differences.push(loadingTexts.userDisabledStaysSo);
  return differences;
}

async function storedRights(db: Transaction, user: User): Promise<StoredRight[]> {
  const rights: StoredRight[] = [];
  for (const kind of ['archive', 'table'] as const) {
    for (const [collectionId, access] of await grantedByCollection(db, user.id, kind)) {
      rights.push({ kind, collectionId, access });
    }
  }
  return rights;
}
