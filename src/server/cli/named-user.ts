import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/cli.ts';
import type { Database } from '#server/database/database.ts';
import { findUser, type User } from '#server/modules/accounts/users.service.ts';

/** The user whom a command names. @throws {OperatorError} where there is none */
export async function findNamedUser(database: Database, username: string): Promise<User> {
  const found = await database.read((db) => findUser(db, username));
  if (!found) throw new OperatorError(texts.noUser(username));
  return found;
}
