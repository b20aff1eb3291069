import type { QueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { fold } from '#shared/values/fold.ts';
import { nameKey } from '#shared/rules/names.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { read } from '#web/api/request.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { lookUp, referencedDatasetsQuery, type LookUpField } from '#web/fields/look-up.ts';
import { type Suggest, suggestionsKey } from '#web/fields/use-suggestions.ts';
import { fieldValueText, parseField } from '#web/fields/field-model.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FormValues } from './form-values.ts';

/** The values of other fields as the service expects them: field and value. */
type OtherValues = readonly (readonly [field: string, value: string])[];

/** The service uses at most this many fields. */
const MAX_GIVEN = 12;
/** Longer texts are rarely equal in two revisions. */
const MAX_GIVEN_LENGTH = 100;

/** The data of a form when values are suggested for one of its fields. */
interface Context {
  readonly archive: ArchiveDetail;
  readonly field: string;
  /** the values of the other fields */
  readonly given: OtherValues;
  /** the field's present value, and its stored one */
  readonly now: string;
  readonly stored: string;
  /** the field whose choice fills this one, and its text */
  readonly source: FillSource | null;
}

interface FillSource {
  readonly from: LookUpField;
  readonly value: string;
}

/**
 * Suggestions for an index field: first those from a table, then values in use that match the other fields of the form,
 * then the most frequent ones. Before anything is typed, only values that are used more than once, which leaves out
 * unique numbers. The present value of the field is left out, as are texts that look the same as another.
 * @param typed the text typed into the field
 */
export function contextualSuggestions(context: Context, typed: string): ReturnType<Suggest> {
  const { archive, field, given, now, stored, source } = context;
  return {
    queryKey: suggestionsKey(archive.table, field, typed, { given, now, stored, source }),
    queryFn: async ({ client, signal }) => {
      const query = new URLSearchParams(given.map(([name, value]) => [`given[${name}]`, value]));
      if (typed !== '') query.set('q', typed);
      const [ofTable, { data }] = await Promise.all([
        source
          ? suggestionsFromTable(client, source, { field, typed }, signal).catch(() => [])
          : [],
        read(`${apiPaths.suggestions(archive.table, field)}?${query}`, {
          signal,
          parse: async (raw) => (await answers()).suggestionsAnswer.parse(raw).suggestions,
        }),
      ]);
      const used = data
        .filter(({ count }) => typed !== '' || count > 1)
        .map(({ value }) => String(value ?? ''));
      return orderSuggestions(ofTable, used, now, stored);
    },
  };
}

/**
 * Of texts that look the same the first; the initial value of the field comes last, because it is the one being
 * corrected.
 */
export function orderSuggestions(
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

const MAX_PER_TABLE = 5;

/** The field whose choice from a table fills the given field, with its text; null: there is none. */
export function fillSourceOf(
  archive: ArchiveDetail,
  { values }: FormValues,
  name: string,
): FillSource | null {
  const at = archive.indexFieldDefinitions.findIndex((field) =>
    Object.keys(field.optionsFrom?.fills ?? {}).some((filled) => nameKey(filled) === nameKey(name)),
  );
  const from = archive.indexFieldDefinitions[at];
  return from ? { from, value: fieldValueText(values[at] ?? null) } : null;
}

/**
 * A table's values for a field that another field's choice fills: those for that field's value, and those that contain
 * the typed text.
 */
async function suggestionsFromTable(
  client: QueryClient,
  { from, value }: FillSource,
  { field, typed }: { readonly field: string; readonly typed: string },
  signal: AbortSignal,
): Promise<string[]> {
  const [named, found] = await Promise.all([
    value === '' ? null : client.query(referencedDatasetsQuery(from, value)),
    typed.trim() === ''
      ? null
      : lookUp(client, from, { typed, value: '', filledValues: [] }, signal),
  ]);
  const wanted = fold(typed.trim());
  const options = [...(named?.options ?? []), ...(found?.options ?? [])];
  return options
    .flatMap(({ fills }) => fills.find((fill) => nameKey(fill.name) === nameKey(field))?.text ?? [])
    .filter((text) => fold(text).includes(wanted))
    .slice(0, MAX_PER_TABLE);
}

/** The valid values of all index fields except one. */
export function valuesOfOtherFields(
  fields: readonly ArchiveField[],
  { values }: FormValues,
  except: number,
): OtherValues {
  const given = fields.flatMap(({ name, definition }, at) => {
    const text = values[at] ?? null;
    if (at === except || !definition || isList(text)) return [];
    if (text === null || text === '' || text.length > MAX_GIVEN_LENGTH) return [];
    const parsed = parseField(definition, text);
    return parsed.ok && parsed.value !== null ? [[name, String(parsed.value)] as const] : [];
  });
  return given.slice(0, MAX_GIVEN);
}
