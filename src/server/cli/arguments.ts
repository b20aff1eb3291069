import * as texts from '#messages/service/cli.ts';
import { ConfigError, readCommandLine, type CommandLine } from '#server/config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options of every command: the database and the files. */
const SHARED = ['data', 'database-url', 'files', 's3-endpoint', 's3-region', 's3-path-style'];

/**
 * Reads the arguments of a command other than `serve`.
 * @param own the command's flags with a value
 * @throws {ConfigError} for unknown flags, missing values and invalid ones
 */
export function readArguments(
  args: readonly string[],
  environment: Environment,
  own: readonly string[] = [],
): CommandLine {
  const known = [...SHARED, ...own];
  for (const arg of args) {
    if (arg === '--') break;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !known.includes(name)) {
      throw new ConfigError(texts.noOptionOfCommand(name));
    }
  }
  return readCommandLine(
    args,
    environment,
    Object.fromEntries(own.map((name) => [name, 'value' as const])),
  );
}

/**
 * Removes a repeatable flag from the arguments.
 * @throws {ConfigError} if its value is missing
 */
export function takeRepeated(
  args: readonly string[],
  name: string,
): { readonly values: readonly string[]; readonly rest: readonly string[] } {
  const values: string[] = [];
  const rest: string[] = [];
  const flag = `--${name}`;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === flag) {
      const value = args[++i];
      if (value === undefined) throw new ConfigError(texts.needsValue(flag));
      values.push(value);
    } else if (arg.startsWith(`${flag}=`)) values.push(arg.slice(flag.length + 1));
    else rest.push(arg);
  }
  return { values, rest };
}

/**
 * Removes a flag with an optional value from the arguments.
 * @param enough whether the arguments are complete without the one that follows the flag
 * @returns `value`: undefined without the flag, null without a value
 */
export function takeOptional(
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

/** Removes a flag without a value from the arguments. */
export function takeSwitch(
  args: readonly string[],
  name: string,
): { readonly given: boolean; readonly rest: readonly string[] } {
  const rest = args.filter((arg) => arg !== `--${name}`);
  return { given: rest.length < args.length, rest };
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
