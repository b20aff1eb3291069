import type { FieldLayout } from '#shared/rules/definitions.ts';

/** How a list is sorted that a user opens for the first time, as the definition says: `-DATE`, `NO`. */
export function firstSortOf(
  fields: readonly (FieldLayout & { readonly name: string })[],
): readonly string[] {
  return fields.flatMap(({ name, listSort }) => {
    if (listSort === undefined) return [];
    return [listSort === 'descending' ? `-${name}` : name];
  });
}
