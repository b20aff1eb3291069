import { useMutation } from '@tanstack/react-query';
import { listQueryString } from '#web/api/list-view.ts';
import { taskAnswers } from '#web/api/answers.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { write } from '#web/api/request.ts';
import type { Replacement } from './choices.ts';
import type { Filter } from './value-cleanup.queries.ts';

/** Plans the correction of values in the records of a list. Nothing is changed yet. */
export function usePlanReplacements(
  place: ListPlace,
  field: string,
  { where = [], q = '' }: Filter,
) {
  return useMutation({
    mutationFn: async (replacements: readonly Replacement[]) => {
      const filter = listQueryString({ where, q }).slice(1);
      const { data } = await write(apiPaths.valueReplacements(place, field), {
        method: 'POST',
        body: { filter, replacements },
        parse: async (raw) => (await taskAnswers()).bulkEditsAnswer.parse(raw).bulkedits[0],
      });
      return data;
    },
  });
}
