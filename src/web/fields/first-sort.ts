import type { FieldLayout } from '#shared/rules/definitions.ts';

/** The default sorting of a list by its definition: `-DATE`, `NO`. */
export function firstSortOf(
  fields: readonly (FieldLayout & { readonly name: string })[],
): readonly string[] {
  return fields.flatMap(({ name, listSort }) => {
    if (listSort === undefined) return [];
    return [listSort === 'descending' ? `-${name}` : name];
  });
}
