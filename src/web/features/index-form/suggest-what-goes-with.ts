import type { ArchiveDetail } from '#shared/answers.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import type { Suggest } from '#web/ui/fields/suggestions-editor.tsx';
import { readHeld } from '#web/ui/fields/typed-text.ts';
import type { FormValues } from './form-values.ts';

/** What stands in other fields, as the service takes it: field and value. */
export type Given = readonly (readonly [field: string, value: string])[];

/** The service looks at no more fields. */
const MOST_GIVEN = 12;
/** Longer texts are hardly in two revisions alike. */
const LONGEST_GIVEN = 100;

/**
 * Values in use in an index field: those first that go with what stands in the form, then the most used.
 * Before anything is typed only those that come more than once: no list of unique numbers.
 * @param given what stands in the other fields when it is asked
 */
export function suggestWhatGoesWith(archive: string, field: string, given: () => Given): Suggest {
  return async (typed, signal) => {
    const query = new URLSearchParams(given().map(([name, value]) => [`given[${name}]`, value]));
    if (typed !== '') query.set('q', typed);
    const { data } = await read(`${apiPaths.suggestions(archive, field)}?${query}`, {
      signal,
      parse: async (raw) => (await answers()).suggestionsAnswer.parse(raw).suggestions,
    });
    return data
      .filter(({ value, count }) => (typed === '' ? count > 1 : value !== typed))
      .map(({ value }) => String(value ?? ''));
  };
}

/** The values of all fields but one, as far as they are values. */
export function givenBeside(archive: ArchiveDetail, values: FormValues, place: number): Given {
  const fields = archive.indexFieldDefinitions.flatMap((field, at) => {
    const text = values.fields[at]?.text ?? null;
    if (at === place || text === null || text === '' || text.length > LONGEST_GIVEN) return [];
    const parsed = readHeld(field, text);
    return parsed.ok && parsed.value !== null ? [[field.name, String(parsed.value)] as const] : [];
  });
  return fields.slice(0, MOST_GIVEN);
}
