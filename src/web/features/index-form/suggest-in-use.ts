import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';
import type { Suggest } from '#web/ui/fields/suggestions-editor.tsx';

const MOST_SHOWN = 30;

/** Values in use in an index field. Before anything is typed only those that come more than once: no list of unique numbers. */
export function suggestInUse(archive: string, field: string): Suggest {
  return async (typed, signal) => {
    const query = typed === '' ? '' : `?q=${encodeURIComponent(typed)}`;
    const { data } = await read(apiPaths.listOptions(archive, field) + query, {
      signal,
      parse: async (raw) => (await answers()).listOptionsAnswer.parse(raw).listoptions,
    });
    return data
      .filter(({ value, count }) => (typed === '' ? count > 1 : value !== typed))
      .slice(0, MOST_SHOWN)
      .map(({ value }) => String(value ?? ''));
  };
}
