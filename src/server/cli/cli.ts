import * as texts from '#messages/service/cli.ts';
import { overview } from '#messages/service/help.ts';
import { ConfigError, readCommandLine } from '#server/config.ts';
import { explainCommand } from '#server/database/storage-errors.ts';
import { LoadError } from '#server/modules/definition-files/load-error.ts';
import { ApiError, textsOf } from '#shared/contract/errors.ts';
import type { Environment } from './arguments.ts';
import { CONSOLE, type Console } from './console.ts';
import { HELP } from './help.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE_ERROR = 2;

/**
 * Runs a command (docs/interface/decisions.md, section 10).
 * @param args without those of Node
 * @returns the exit code: 0, 1 for a failure, 2 for an invalid command line
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
  console: Console = CONSOLE,
): Promise<number> {
  const [command, ...rest] = args;
  try {
    return await run(command, rest, environment, console);
  } catch (error) {
    for (const line of explain(error)) console.err(line);
    if (environment['INDEXDESK_LOG_LEVEL'] === 'debug' && error instanceof Error) {
      console.err(error.stack ?? '');
    }
    if (!(error instanceof ConfigError)) return EXIT_FAILED;
    console.err(known(command) ? texts.helpOf(command) : texts.help);
    return EXIT_USAGE_ERROR;
  }
}

async function run(
  command: string | undefined,
  rest: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  if (command === '--version') {
    const { version, commit, schema } = (await import('#server/build-info.ts')).readBuildInfo();
    console.out(`${version} (commit ${commit}, schema ${schema})`);
    return 0;
  }
  if (command === '--help' || command === '-h' || command === 'help') {
    console.out(overview);
    return 0;
  }
  if (command === undefined) throw new ConfigError(texts.commandMissing);
  if (!known(command)) throw new ConfigError(texts.noCommand(command));
  if (rest.includes('--help') || rest.includes('-h')) {
    console.out(HELP[command]);
    return 0;
  }
  // Each command imports only its own code, because modules stay in memory.
  switch (command) {
    case 'serve': {
      const { config, positionals } = readCommandLine(rest, environment);
      if (positionals.length > 0) {
        throw new ConfigError(texts.argumentNotExpected(positionals.join(' ')));
      }
      return (await import('./serve.ts')).serve(config, environment, console);
    }
    case 'load':
      return (await import('./load.ts')).load(rest, environment, console);
    case 'define':
      return (await import('./define.ts')).define(rest, environment, console);
    case 'archive':
    case 'table':
      return (await import('./define.ts')).collection(command)(rest, environment, console);
    case 'user':
      return (await import('./user.ts')).user(rest, environment, console);
    case 'group':
      return (await import('./group.ts')).group(rest, environment, console);
    case 'secret':
      return (await import('./secret.ts')).secret(rest, environment, console);
    case 'migrate':
      return (await import('./migrate-command.ts')).migrate(rest, environment, console);
    case 'verify':
      return (await import('./verify.ts')).verify(rest, environment, console);
    case 'backup':
      return (await import('./backup.ts')).backup(rest, environment, console);
    case 'restore':
      return (await import('./backup.ts')).restore(rest, environment, console);
    case 'copy':
      return (await import('./copy.ts')).copy(rest, environment, console);
    default:
      return command satisfies never;
  }
}

function known(command: string | undefined): command is keyof typeof HELP {
  return command !== undefined && Object.hasOwn(HELP, command);
}

/** The error for the administrator, line by line. */
function explain(error: unknown): readonly string[] {
  if (error instanceof LoadError) return error.lines;
  if (error instanceof ApiError) return Object.values(textsOf(error.messages)).flat();
  return [error instanceof Error ? explainCommand(error) : String(error)];
}
