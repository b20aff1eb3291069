import type { QueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { fold } from '#shared/values/fold.ts';
import { nameKey } from '#shared/rules/names.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import { lookUp, namedQuery } from '#web/fields/look-up.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { fieldValueText, type FormField, type FormValues, isList } from './form-values.ts';

/** What stands in other fields, as the service takes it: field and value. */
export type Given = readonly (readonly [field: string, value: string])[];

/** The service looks at no more fields. */
const MOST_GIVEN = 12;
/** Longer texts are hardly in two revisions alike. */
const LONGEST_GIVEN = 100;

/** What a form knows when values are suggested for one of its fields. */
interface Asking {
  /** what stands in the other fields */
  readonly given: () => Given;
  /** what stands in the field itself */
  readonly now: () => string;
  readonly stored: string;
  /** what a table has for the field */
  readonly ofTable: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Values for an index field: first those that a table has for it, then those in use that go with what stands
 * in the form, then the most used. Before anything is typed only those that come more than once: no list of
 * unique numbers. What stands in the field itself is not offered, and nothing twice that looks alike.
 */
export function suggestInContext(archive: string, field: string, asking: Asking): Suggest {
  return async (typed, signal) => {
    const query = new URLSearchParams(
      asking.given().map(([name, value]) => [`given[${name}]`, value]),
    );
    if (typed !== '') query.set('q', typed);
    const [ofTable, { data }] = await Promise.all([
      asking.ofTable(typed, signal).catch(() => []),
      read(`${apiPaths.suggestions(archive, field)}?${query}`, {
        signal,
        parse: async (raw) => (await answers()).suggestionsAnswer.parse(raw).suggestions,
      }),
    ]);
    const used = data
      .filter(({ count }) => typed !== '' || count > 1)
      .map(({ value }) => String(value ?? ''));
    return inOrder(ofTable, used, asking.now(), asking.stored);
  };
}

/** Of texts that look alike the first; what the field was opened with comes last, as it is what is corrected. */
export function inOrder(
  ofTable: readonly string[],
  used: readonly string[],
  now: string,
  stored: string,
): string[] {
  const seen = new Set<string>();
  const fresh = [...ofTable, ...used.filter((text) => text !== stored), ...used].filter(
    (text) => text !== now,
  );
  return fresh.filter((text) => {
    const look = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
    return look !== '' && !seen.has(look) && seen.add(look);
  });
}

const MOST_OF_TABLE = 5;

/**
 * What a table has for a field that another field's choice fills: what goes with the value of that field, and
 * what holds what is typed.
 */
export async function valuesOfTable(
  client: QueryClient,
  archive: ArchiveDetail,
  values: FormValues,
  name: string,
  typed: string,
  signal: AbortSignal,
): Promise<string[]> {
  const fillsIt = (filled: string) => nameKey(filled) === nameKey(name);
  const at = archive.indexFieldDefinitions.findIndex((field) =>
    Object.keys(field.optionsFrom?.fills ?? {}).some(fillsIt),
  );
  const from = archive.indexFieldDefinitions[at]?.optionsFrom;
  if (!from) return [];
  const value = fieldValueText(values.values[at] ?? null);
  const [named, found] = await Promise.all([
    value === '' ? null : client.query(namedQuery(client, from, value)),
    typed.trim() === '' ? null : lookUp(client, from, { typed, value: '', beside: [] }, signal),
  ]);
  const wanted = fold(typed.trim());
  const options = [...(named?.options ?? []), ...(found?.options ?? [])];
  return options
    .flatMap(({ fills }) => fills.find((fill) => fillsIt(fill.name))?.text ?? [])
    .filter((text) => fold(text).includes(wanted))
    .slice(0, MOST_OF_TABLE);
}

/** The values of all index fields but one, as far as they are valid. */
export function givenBeside(
  fields: readonly FormField[],
  { values }: FormValues,
  except: number,
): Given {
  const given = fields.flatMap(({ name, definition }, at) => {
    const text = values[at] ?? null;
    if (at === except || !definition || isList(text)) return [];
    if (text === null || text === '' || text.length > LONGEST_GIVEN) return [];
    const parsed = parseFieldValue(definition, text);
    return parsed.ok && parsed.value !== null ? [[name, String(parsed.value)] as const] : [];
  });
  return given.slice(0, MOST_GIVEN);
}
