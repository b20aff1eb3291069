import * as optionTexts from '#messages/service/options.ts';
import * as texts from '#messages/service/cli.ts';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type * as z from 'zod';
import type { Setting } from '#shared/contract/system-answers.ts';
import type { CollectionLimits } from '#shared/rules/limits.ts';
import { filesOf, type S3Settings } from './settings/file-settings.ts';
import { oidcOf, type OidcSettings } from './settings/oidc-settings.ts';
import { ConfigError, flagOf, named, variableOf } from './settings/setting-names.ts';
import {
  DESCRIPTIONS,
  oidcSchema,
  locationsSchema,
  SCHEMAS,
  SECRET,
  settingsSchema,
} from './settings/settings-schemas.ts';

export type { S3Settings } from './settings/file-settings.ts';
export { ConfigError, variableOf } from './settings/setting-names.ts';

/** The settings of a process. */
export interface Config extends Readonly<z.output<typeof settingsSchema>> {
  /** the directory of the SQLite database and of the files; absolute */
  readonly dataDir: string;
  /** an absolute directory or a bucket; undefined: `files` in `dataDir` */
  readonly files: string | S3Settings | undefined;
  /** the sign-in provider; null: none */
  readonly oidc: OidcSettings | null;
  /** all settings for people to read, in the order of the help */
  readonly inEffect: readonly Setting[];
}

/** How a setting is named. */
export interface Option {
  /** without `--` */
  readonly flag: string;
  readonly variable: string;
  readonly isSecret: boolean;
  /** for the help */
  readonly value: string;
  readonly description: string;
}

const OPTIONS = Object.entries(SCHEMAS).map(([key, schema]) => {
  const flag = flagOf(key);
  const value = schema.meta()?.['value'];
  const option: Option = {
    flag,
    variable: variableOf(flag),
    isSecret: SECRET.includes(key),
    value: typeof value === 'string' ? value : '',
    description: DESCRIPTIONS[key] ?? '',
  };
  return { key, ...option };
});
export const SERVE_OPTIONS: readonly Option[] = OPTIONS;

export interface CommandLine {
  readonly config: Config;
  /** the arguments that are not options, in order */
  readonly positionals: readonly string[];
  /** the given options of the command itself */
  readonly own: GivenOptions;
}

/** Whether an option takes a value, takes one each time that it is given, or takes none. */
export type OptionKind = 'value' | 'repeated' | 'switch';

/** The options of a command that were given. */
export class GivenOptions {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The value of an option; undefined: not given. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** All values of a repeated option. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

/**
 * Reads the options of a command: flags first, then environment variables, then defaults.
 * @param args after the command's name
 * @param own the command's own flags besides the settings
 * @throws {ConfigError} naming every bad or unknown option
 */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, OptionKind>> = {},
): CommandLine {
  const { values, positionals } = readFlags(args, own);
  const given: Record<string, string> = {};
  const sources = new Map<string, Setting['source']>();
  for (const { key, flag, variable } of OPTIONS) {
    const value = values.get(flag)?.at(-1) ?? environment[variable];
    if (value === undefined || value === '') continue;
    given[key] = value;
    sources.set(key, values.has(flag) ? 'option' : 'environment');
  }
  const locations = locationsSchema.safeParse(given);
  const settings = settingsSchema.safeParse(given);
  const provider = oidcSchema.safeParse(given);
  if (!locations.success || !settings.success || !provider.success) {
    const issues = [locations, settings, provider].flatMap(({ error }) => error?.issues ?? []);
    throw new ConfigError(
      issues
        .map(({ path, message }) =>
          optionTexts.problem({ option: named(path[0]), problem: message }),
        )
        .join('\n'),
    );
  }
  const { archiveModule, dataModule } = settings.data;
  if (archiveModule === dataModule) {
    throw new ConfigError(
      texts.modulesSame({ dataModule: named('dataModule'), archiveModule: named('archiveModule') }),
    );
  }
  const [dataDir, files] = [resolve(locations.data.data), filesOf(locations.data)];
  const oidc = oidcOf(provider.data, settings.data.publicUrl);
  const oidcTexts = {
    ...provider.data,
    oidcGroupMap: given['oidcGroupMap'],
    oidcRequiredClaims: given['oidcRequiredClaims'],
  };
  const inEffect = { ...settings.data, ...oidcTexts, ...locations.data, data: dataDir };
  return {
    positionals,
    own: new GivenOptions(values),
    config: {
      ...settings.data,
      dataDir,
      files,
      oidc,
      inEffect: settingsInEffect(inEffect, sources),
    },
  };
}

type SettingValue = string | number | boolean | readonly string[];

function settingsInEffect(
  values: Readonly<Record<string, SettingValue | undefined>>,
  sources: ReadonlyMap<string, Setting['source']>,
): readonly Setting[] {
  return OPTIONS.map(({ key, flag, variable, description, isSecret }) => {
    const value = values[key];
    return {
      name: flag,
      variable,
      description,
      isSecret,
      value: isSecret || value === undefined ? null : withoutPassword(String(value)),
      source: sources.get(key) ?? 'default',
    };
  });
}

/** A URL without its password, which `pg` also reads from the parameters; other texts are unchanged. */
export function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.password === '' && !url.searchParams.has('password'))) return text;
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

function readFlags(args: readonly string[], own: Readonly<Record<string, OptionKind>>) {
  const known: ParseArgsOptionsConfig = {};
  for (const { flag, isSecret } of OPTIONS) {
    if (!isSecret) known[flag] = { type: flag === 'empty' ? 'boolean' : 'string' };
  }
  for (const [name, kind] of Object.entries(own)) {
    known[name] = { type: kind === 'switch' ? 'boolean' : 'string' };
  }
  // Not strict, because the error messages are ours.
  const { tokens } = parseArgs({ args: [...args], options: known, tokens: true, strict: false });
  const values = new Map<string, readonly string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!option) throw new ConfigError(texts.unknownOption(token.rawName));
    const earlier = values.get(token.name) ?? [];
    if (earlier.length > 0 && own[token.name] !== 'repeated')
      throw new ConfigError(texts.optionTwice(token.rawName));
    if (option.type === 'string' && token.value === undefined) {
      throw new ConfigError(texts.optionNeedsValue(token.rawName));
    }
    if (option.type === 'boolean' && token.value !== undefined) {
      throw new ConfigError(texts.takesNoValue(token.rawName));
    }
    values.set(token.name, [...earlier, token.value ?? (token.name === 'empty' ? 'true' : '')]);
  }
  return { values, positionals };
}

/** The limits of requests for each archive and table. */
export function limitsOf({ maxInValues, maxKeywords }: Config): CollectionLimits {
  return { inValues: maxInValues, keywordValues: maxKeywords };
}
