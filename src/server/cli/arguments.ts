import * as texts from '#messages/service/cli.ts';
import { ConfigError, readCommandLine, type CommandLine, type OptionKind } from '#server/config.ts';
import type { Console } from './console.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options of every command: the database and the files. */
const SHARED = ['data', 'database-url', 'files', 's3-endpoint', 's3-region', 's3-path-style'];

/**
 * Reads the arguments of a command other than `serve`.
 * @param names of the arguments that are not flags: there must be one for each
 * @param own the command's own flags
 * @throws {ConfigError} for unknown flags, missing values, invalid ones, and missing or further arguments
 */
export function readArguments(
  args: readonly string[],
  environment: Environment,
  names: readonly string[],
  own: Readonly<Record<string, OptionKind>> = {},
): CommandLine {
  const read = readOptions(args, environment, own);
  const missing = names[read.positionals.length];
  if (missing !== undefined) throw new ConfigError(texts.argumentMissing(missing));
  const extra = read.positionals[names.length];
  if (extra !== undefined) throw new ConfigError(texts.argumentNotExpected(extra));
  return read;
}

/** The same for any number of arguments that are not flags. */
export function readOptions(
  args: readonly string[],
  environment: Environment,
  own: Readonly<Record<string, OptionKind>> = {},
): CommandLine {
  const known = [...SHARED, ...Object.keys(own)];
  for (const arg of args) {
    if (arg === '--') break;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !known.includes(name)) {
      throw new ConfigError(texts.noOptionOfCommand(name));
    }
  }
  return readCommandLine(args, environment, own);
}

/**
 * Removes a flag with an optional value from the arguments.
 * @param enough whether the arguments are complete without the one that follows the flag
 * @returns `value`: undefined without the flag, null without a value
 */
export function takeOptionalValue(
  args: readonly string[],
  name: string,
  enough: (rest: readonly string[]) => boolean,
): { readonly value: string | null | undefined; readonly rest: readonly string[] } {
  const flag = `--${name}`;
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const given = args[at];
  if (given === undefined) return { value: undefined, rest: args };
  const before = args.slice(0, at);
  if (given !== flag)
    return { value: given.slice(flag.length + 1), rest: [...before, ...args.slice(at + 1)] };
  const next = args[at + 1];
  const without = [...before, ...args.slice(at + 2)];
  if (next !== undefined && !next.startsWith('-') && enough(without)) {
    return { value: next, rest: without };
  }
  return { value: null, rest: [...before, ...args.slice(at + 1)] };
}

/** A command, or an action of one. @returns the exit code */
export type Command = (
  args: readonly string[],
  environment: Environment,
  console: Console,
) => Promise<number>;

/**
 * A command such as `user`, whose first argument names an action.
 * @param unknown the error text for another name
 */
export function commandOf(
  actions: Readonly<Record<string, Command>>,
  unknown: (name: string) => string,
): Command {
  return async ([name = '', ...rest], environment, console) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new ConfigError(unknown(name));
    return action(rest, environment, console);
  };
}
