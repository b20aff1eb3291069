import * as cliTexts from '#messages/service/cli.ts';
import { resolve } from 'node:path';
import { ConfigError, withoutPassword, type CommandLine, type Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { assertDatabaseExists } from '#server/database/open-database.ts';
import { copyInstallation } from '#server/modules/copying/copying.service.ts';
import type { FileStore } from '#server/modules/files/file-store.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { readArguments, readOptions, type Command } from './arguments.ts';
import { progressReport } from './console.ts';
import { withDatabase } from './with-database.ts';

/** `copy --from … --to …`: a whole installation into an empty one. @returns the exit code */
export const copy: Command = async (args, environment, console) => {
  const { config, own } = readArguments(args, environment, [], OWN);
  const filesAt = (location: string): Config['files'] =>
    readOptions(args, { ...environment, INDEXDESK_FILES: location }, OWN).config.files;
  const from = readLocation(own, config, 'from', filesAt);
  const to = readLocation(own, config, 'to', filesAt);
  if (from.name === to.name) throw new ConfigError(cliTexts.placesSame);
  await assertDatabaseExists(from);
  const report = progressReport(console, process.stderr);
  const copyTo = (source: Database) => (target: Database) =>
    copyInstallation({ ...from, database: source }, { ...to, database: target }, report, 'nothing');
  const result = await withDatabase(
    from,
    'read',
    (source) => withDatabase(to, 'upgrade', copyTo(source), { unfinished: true }),
    { isExclusive: true },
  );
  const { bad, ...copied } = result;
  report.info(cliTexts.copied({ name: to.name, ...copied }));
  for (const location of bad.slice(0, MAX_LISTED)) {
    report.fail(cliTexts.sourceFileDamaged(location));
  }
  if (bad.length === 0) return 0;
  report.fail(cliTexts.filesNotCopied(bad.length));
  return 1;
};

const OWN = {
  from: 'value',
  to: 'value',
  'from-data': 'value',
  'to-data': 'value',
  'from-files': 'value',
  'to-files': 'value',
} as const;
const MAX_LISTED = 20;

/** A database and its documents' files. */
interface DataLocation extends Pick<Config, 'dataDir' | 'databaseUrl'> {
  /** without a password */
  readonly name: string;
  readonly files: FileStore;
}

function readLocation(
  own: CommandLine['own'],
  config: Pick<Config, 'dataDir' | 'files'>,
  flag: 'from' | 'to',
  filesAt: (location: string) => Config['files'],
): DataLocation {
  const given = own.get(flag);
  const data = own.get(`${flag}-data`);
  const location = own.get(`${flag}-files`);
  if (given === undefined || given === '') {
    throw new ConfigError(cliTexts.locationMissing(flag));
  }
  if (!/^postgres(?:ql)?:\/\//.test(given)) {
    if (data !== undefined) {
      throw new ConfigError(cliTexts.dataOptionForPostgres(flag));
    }
    const dataDir = resolve(given);
    const files = openFileStore({
      dataDir,
      files: location === undefined ? location : filesAt(location),
    });
    return { dataDir, databaseUrl: undefined, name: dataDir, files };
  }
  const dataDir = data === undefined ? config.dataDir : resolve(data);
  const files = data === undefined ? config.files : undefined;
  return {
    dataDir,
    databaseUrl: given,
    name: withoutPassword(URL.parse(given)?.href ?? cliTexts.postgresDatabase),
    files: openFileStore({ dataDir, files: location === undefined ? files : filesAt(location) }),
  };
}
