import * as texts from '#messages/service/cli.ts';
import { ConfigError } from '#server/config.ts';
import type { Defined } from '#server/modules/rights/named-rights.ts';
import { mergeRights } from '#server/modules/rights/named-rights.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import {
  namedRightsSchema,
  type NamedRights,
} from '#shared/contract/configuration-people-requests.ts';
import { RIGHTS } from '#shared/rules/rights.ts';
import { takeRepeated } from './arguments.ts';

/** Rights as flags give them: all of them, or single ones beside those that there are. */
interface GivenRights {
  /** null: the rights that there are */
  readonly all: NamedRights | null;
  readonly single: NamedRights;
}

/**
 * Removes `--rights JSON`, `--archive NAME=RIGHT` and `--table NAME=RIGHT` from the arguments.
 * @throws {ConfigError} naming the flag that is wrong
 */
export function takeRights(args: readonly string[]): {
  readonly rights: GivenRights;
  readonly rest: readonly string[];
} {
  const archives = takeRepeated(args, 'archive');
  const tables = takeRepeated(archives.rest, 'table');
  const all = takeRepeated(tables.rest, 'rights');
  const single = {
    archives: singleRights('archive', archives.values),
    tables: singleRights('table', tables.values),
  };
  const text = all.values.at(-1);
  const rights = { all: text === undefined ? null : readRights(text), single };
  return { rights, rest: all.rest };
}

/** The rights as a whole; undefined if no flag names any. */
export function rightsOf(
  { all, single }: GivenRights,
  defined: Defined,
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
      throw new ConfigError(texts.rightInvalid({ flag, value: RIGHTS.join(', ') }));
    }
    return [name, access];
  });
  return Object.fromEntries(rights);
}

function readRights(text: string): NamedRights {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(texts.rightsInvalid);
  }
  const parsed = namedRightsSchema.safeParse(value);
  if (!parsed.success) throw new ConfigError(texts.rightsInvalid);
  return parsed.data;
}
