import { ConfigError, readCommandLine, type CommandLine } from '#server/config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the database and the files are: what every command asks. */
const EVERYWHERE = ['data', 'database-url', 'files', 's3-endpoint', 's3-region', 's3-path-style'];

/**
 * Reads the arguments of a command other than `serve`, which alone knows all settings.
 * @param own the command's flags with a value
 * @throws {ConfigError} where one is not the command's, lacks its value or holds a bad one
 */
export function readArguments(
  args: readonly string[],
  environment: Environment,
  own: readonly string[] = [],
): CommandLine {
  const known = [...EVERYWHERE, ...own];
  for (const arg of args) {
    if (arg === '--') break;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !known.includes(name)) {
      throw new ConfigError(`There is no option --${name} here.`);
    }
  }
  return readCommandLine(
    args,
    environment,
    Object.fromEntries(own.map((name) => [name, 'value' as const])),
  );
}

/**
 * Takes a flag that may be given several times out of the arguments.
 * @throws {ConfigError} where its value is missing
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
      if (value === undefined) throw new ConfigError(`${flag} needs a value.`);
      values.push(value);
    } else if (arg.startsWith(`${flag}=`)) values.push(arg.slice(flag.length + 1));
    else rest.push(arg);
  }
  return { values, rest };
}

/**
 * Takes a flag out of the arguments that may stand with or without a value.
 * @param enough whether the arguments are complete without the one that follows the flag
 * @returns `value`: undefined where the flag is not given, null where it has no value
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

/** Takes a flag without a value out of the arguments. */
export function takeSwitch(
  args: readonly string[],
  name: string,
): { readonly given: boolean; readonly rest: readonly string[] } {
  const rest = args.filter((arg) => arg !== `--${name}`);
  return { given: rest.length < args.length, rest };
}

/** @throws {ConfigError} where there are more or fewer than the names */
export function expectPositionals(
  positionals: readonly string[],
  ...names: readonly string[]
): string[] {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new ConfigError(`${missing} is missing.`);
  const extra = positionals[names.length];
  if (extra !== undefined) throw new ConfigError(`There is nothing to do with ${extra}.`);
  return [...positionals];
}
