import * as texts from '#messages/service/cli.ts';
import { planMigration } from '#server/database/migrations/migrate.ts';
import { readArguments, type Command } from './arguments.ts';
import { withDatabase } from './with-database.ts';

/** `migrate [--dry-run]`: upgrades the database of an installation, or lists the changes. @returns the exit code */
export const migrate: Command = async (args, environment, console) => {
  const { config, own } = readArguments(args, environment, [], { 'dry-run': 'switch' });
  // A mistyped directory must not become a new installation.
  const { from, to, steps } = await withDatabase(
    config,
    'read',
    (database) => database.read(planMigration),
    { anyVersion: true },
  );
  if (steps.length === 0) {
    console.out(texts.databaseUpToDate(to));
    return 0;
  }
  const lines = steps.map((does, i) => `  ${from + i + 1}: ${does}`);
  if (own.has('dry-run')) {
    console.out(texts.upgradePreview({ from, to }));
    for (const line of lines) console.out(line);
    console.out(texts.nothingChanged);
    return 0;
  }
  await withDatabase(config, 'upgrade', () => Promise.resolve());
  console.out(texts.databaseUpgraded({ from, to }));
  for (const line of lines) console.out(line);
  return 0;
};
