import * as texts from '#messages/service/cli.ts';
import type * as z from 'zod';
import { ConfigError, type GivenOptions } from '#server/config.ts';
import { parseDefinition } from '#server/modules/definition-files/definition-problems.ts';
import { MAX_SHOWN } from '#server/modules/definition-files/load-error.ts';
import type { DefinedCollections } from '#server/modules/rights/named-rights.ts';
import { mergeRights } from '#server/modules/rights/named-rights.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import {
  namedRightsSchema,
  type NamedRights,
} from '#shared/contract/configuration-people-requests.ts';
import { RIGHTS } from '#shared/rules/rights.ts';
import { JsonSyntaxError, parseJson, type JsonValue } from '#shared/values/json.ts';

/** Rights as flags give them: all of them, or single ones beside those that there are. */
interface GivenRights {
  /** null: the rights that there are */
  readonly all: NamedRights | null;
  readonly single: NamedRights;
}

/** The flags for rights: `--rights JSON`, `--archive NAME=RIGHT` and `--table NAME=RIGHT`. */
export const RIGHT_OPTIONS = { rights: 'value', archive: 'repeated', table: 'repeated' } as const;

/** @throws {ConfigError} naming the flag that is wrong */
export function readGivenRights(own: GivenOptions): GivenRights {
  const text = own.get('rights');
  return {
    all: text === undefined ? null : readRights(text),
    single: {
      archives: singleRights('archive', own.all('archive')),
      tables: singleRights('table', own.all('table')),
    },
  };
}

/**
 * @param name of the argument or flag
 * @throws {ConfigError} for a value that the REST interface rejects too
 */
export function requireAccepted(schema: z.ZodType, value: unknown, name: string): void {
  const parsed = parseDefinition(schema, value, name);
  if (!parsed.ok) throw new ConfigError(parsed.problems.join(' '));
}

/** The rights as a whole; undefined if no flag names any. */
export function rightsOf(
  { all, single }: GivenRights,
  defined: DefinedCollections,
  current: Rights,
): NamedRights | undefined {
  const isSingle = Object.keys({ ...single.archives, ...single.tables }).length > 0;
  if (!all && !isSingle) return undefined;
  return mergeRights(defined, all ?? current, single);
}

function singleRights(
  flag: string,
  given: readonly string[],
): Record<string, (typeof RIGHTS)[number]> {
  const rights = given.map((text): [string, (typeof RIGHTS)[number]] => {
    const [name = '', right = ''] = text.split('=');
    const access = RIGHTS.find((known) => known === right);
    if (name === '' || !access) {
      throw new ConfigError(texts.rightInvalid({ flag, given: text, rights: RIGHTS.join(', ') }));
    }
    return [name, access];
  });
  return Object.fromEntries(rights);
}

function readRights(text: string): NamedRights {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ConfigError(texts.rightsInvalid(texts.rightsNotJson(error.message)));
  }
  const parsed = parseDefinition(namedRightsSchema, value, texts.theRights);
  if (parsed.ok) return parsed.known;
  throw new ConfigError(texts.rightsInvalid(parsed.problems.slice(0, MAX_SHOWN).join(' ')));
}
