import * as texts from '#messages/service/cli.ts';
import {
  defineFromFile,
  purgeByCommand,
  type DefinedByCommand,
} from '#server/modules/definition-changes/commands.service.ts';
import { findNamed } from '#server/modules/definitions/stored-definitions.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { findField } from '#server/modules/purges/purges.service.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { setRetired } from '#server/modules/definition-changes/retirement.service.ts';
import { ConfigError } from '#server/config.ts';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { commandActor } from './actor.ts';
import { commandOf, readArguments, type Command } from './arguments.ts';
import { databaseAction } from './database-action.ts';
import { withDatabase } from './with-database.ts';

/** `define FILE [--dry-run]`: applies the definitions of a file to archives and tables. @returns the exit code */
export const define: Command = async (args, environment, console) => {
  const { config, positionals, own } = readArguments(args, environment, ['FILE'], {
    'dry-run': 'switch',
    'keep-misfits': 'switch',
  });
  const [file = ''] = positionals;
  const isDryRun = own.has('dry-run');
  return withDatabase(config, 'write', async (database) => {
    const options = { isDryRun, keepsMisfits: own.has('keep-misfits') };
    const actor = commandActor(`define ${file}`);
    const log = { warn: (_: unknown, message: string) => console.err(message) };
    const files = openFileStore(config);
    let complete = true;
    for await (const defined of defineFromFile({ database, files }, file, actor, options, log)) {
      for (const line of describe(defined)) console.out(line);
      complete &&= defined.isDone;
    }
    if (isDryRun) console.out(texts.nothingChanged);
    else await sequenceAllEntries(database);
    return complete ? 0 : 1;
  });
};

function describe({ name, outcome, plan, isDone }: DefinedByCommand): string[] {
  const lines = plan.changes.map(({ kind, field, properties, affected, misfits }) =>
    texts.plannedChange({ kind, field: field ?? name, properties, affected, misfits }),
  );
  return [
    texts.definitionOutcome({ name, outcome, isDone, changes: plan.changes.length }),
    ...lines,
  ];
}

/** `archive retire|restore|purge NAME`, and the same for tables. */
export function collection(kind: CollectionKind): Command {
  return commandOf(
    {
      retire: setRetiredByCommand(kind, 'retire'),
      restore: setRetiredByCommand(kind, 'restore'),
      purge: purge(kind),
    },
    () => texts.retireOrRestore(kind),
  );
}

function setRetiredByCommand(kind: CollectionKind, action: 'retire' | 'restore'): Command {
  return databaseAction('write', ['NAME'], async ({ database, console }, name) => {
    const { id } = await database.read((db) => findNamed(db, kind, name));
    const actor = commandActor(`${kind} ${action} ${name}`);
    await setRetired(database, { kind, id }, action === 'retire', actor, null);
    console.out(texts.retiredOrRestored({ name, action }));
  });
}

/** `archive purge NAME --confirm NAME [--field FIELD]`: deletes permanently, as `purgeByJob`. */
const purge =
  (kind: CollectionKind): Command =>
  async (args, environment, console) => {
    const { config, positionals, own } = readArguments(args, environment, ['NAME'], {
      confirm: 'value',
      field: 'value',
    });
    const [name = ''] = positionals;
    const field = own.get('field') ?? null;
    const confirm = own.get('confirm');
    if (confirm === undefined) throw new ConfigError(texts.confirmOption(field ?? name));
    return withDatabase(config, 'write', async (database) => {
      const { state } = await database.read((db) => findNamed(db, kind, name));
      const toConfirm = field === null ? state.name : (findField(state, field)?.name ?? field);
      if (confirm !== toConfirm) throw new ConfigError(texts.confirmOption(toConfirm));
      const storage = { database, files: openFileStore(config) };
      const actor = commandActor(
        [kind, 'purge', name, ...(field === null ? [] : [field])].join(' '),
      );
      const log = { warn: (_: unknown, message: string) => console.err(message) };
      const wanted = { kind, name, field, confirm, actor };
      await purgeByCommand(storage, wanted, log);
      await sequenceAllEntries(database);
      console.out(texts.purged(field === null ? name : `${name}, ${field}`));
      return 0;
    });
  };
