import { answers } from '#web/api/load-answer-schemas.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';
import { type Suggest, suggestionsKey } from './use-suggestions.ts';

const MAX_VALUES = 30;

/** The values in use in an index field that contain the typed text, most frequent first. */
export const valuesInUse =
  (archive: string, field: string): Suggest =>
  (typed) => ({
    queryKey: suggestionsKey(archive, field, typed),
    queryFn: async ({ signal }) => {
      const query = typed === '' ? '' : `?q=${encodeURIComponent(typed)}`;
      const data = await readData(apiPaths.listOptions(archive, field) + query, {
        signal,
        parse: async (raw) => (await answers()).listOptionsAnswer.parse(raw).listoptions,
      });
      return data.slice(0, MAX_VALUES).map(({ value }) => String(value ?? ''));
    },
  });
