import * as texts from '#messages/people.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useBulkTarget } from '#web/api/collections.queries.ts';

/** The fields of an archive or the columns of a table for which rights can differ, by their names in rights. */
export function useFieldsOf(collection: CollectionRef) {
  const { target, ...query } = useBulkTarget(collection);
  const data = target && [
    ...target.fields,
    ...target.keywordFields.map(({ name, label }) => ({
      name: keywordFieldName(name),
      label: texts.keyword(label),
    })),
  ];
  return { data, ...query };
}
