import type { DatabaseAccess } from '#server/database/open-database.ts';
import type { Database } from '#server/database/database.ts';
import { readArguments, type Command, type Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './with-database.ts';

/** What an action on the database works with. */
interface ActionContext {
  readonly database: Database;
  readonly environment: Environment;
  readonly console: Console;
}

/**
 * An action on the database without options of its own.
 * @param names of its arguments, for errors
 * @param work gets the arguments
 */
export function databaseAction(
  access: DatabaseAccess,
  names: readonly string[],
  work: (context: ActionContext, ...given: string[]) => Promise<void>,
): Command {
  return async (args, environment, console) => {
    const { config, positionals } = readArguments(args, environment, names);
    await withDatabase(config, access, (database) =>
      work({ database, environment, console }, ...positionals),
    );
    return 0;
  };
}
