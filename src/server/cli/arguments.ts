import * as texts from '#messages/service/cli.ts';
import { ConfigError, readCommandLine, type CommandLine, type OptionKind } from '#server/config.ts';

import type { Console } from './console.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options of every command: the database and the files. */
const SHARED = ['data', 'database-url', 'files', 's3-endpoint', 's3-region', 's3-path-style'];

/**
 * Reads the arguments of a command other than `serve`.
 * @param own the command's own flags
 * @throws {ConfigError} for unknown flags, missing values and invalid ones
 */
export function readArguments(
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

/** @throws {ConfigError} unless there is one argument for each name */
export function expectPositionals(
  positionals: readonly string[],
  ...names: readonly string[]
): string[] {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new ConfigError(texts.argumentMissing(missing));
  const extra = positionals[names.length];
  if (extra !== undefined) throw new ConfigError(texts.argumentNotExpected(extra));
  return [...positionals];
}

/** A command, or an action of one. @returns the exit code */
export type Command = (
  args: readonly string[],
  environment: Environment,
  console: Console,
) => Promise<number>;

/** The actions of a command such as `user`, by name. */
export type Actions = Readonly<Record<string, Command>>;

/**
 * Runs the action that the first argument names.
 * @param unknown the error text for another name
 * @returns the exit code
 */
export function runAction(
  actions: Actions,
  [name = '', ...rest]: readonly string[],
  environment: Environment,
  console: Console,
  unknown: (name: string) => string,
): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new ConfigError(unknown(name));
  return action(rest, environment, console);
}
