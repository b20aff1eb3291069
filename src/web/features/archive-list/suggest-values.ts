import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import type { Suggest } from '#web/fields/use-suggestions.ts';

/** The values in use in an index field, most used first, that contain what was typed. */
export function suggestValues(archive: string, field: string): Suggest {
  return async (typed, signal) => {
    const query = typed === '' ? '' : `?q=${encodeURIComponent(typed)}`;
    const { data } = await read(apiPaths.listOptions(archive, field) + query, {
      signal,
      parse: async (raw) => (await answers()).listOptionsAnswer.parse(raw).listoptions,
    });
    return data.slice(0, MOST_SHOWN).map(({ value }) => String(value ?? ''));
  };
}

const MOST_SHOWN = 30;
