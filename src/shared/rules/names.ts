/** The kinds of collections: archives hold document revisions, data tables hold datasets. */
export type CollectionKind = 'archive' | 'table';

/** A name of an archive's table, an index field, a keyword field, a table or a column. */
export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** The maximum length of a name of `NAME_PATTERN`. */
export const MAX_NAME_LENGTH = 63;

/** The key of a name (or GUID, or user name): names that count as the same have equal keys. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

export function isSameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

const KEYWORD_PREFIX = 'keyword.';

/** The name of a keyword field where names of all fields stand, such as in lists, rights and the history. */
export function keywordFieldName(name: string): string {
  return KEYWORD_PREFIX + name;
}

/** The keyword field's own name in a name of `keywordFieldName`, ignoring case; null: the name of another field. */
export function keywordNameIn(name: string): string | null {
  return nameKey(name).startsWith(KEYWORD_PREFIX) ? name.slice(KEYWORD_PREFIX.length) : null;
}

const indexes = new WeakMap<object, Map<string, number>>();

/**
 * The index of the first element with a name, ignoring case; -1 where there is none.
 * @param elements an array that is never changed, such as the fields of a definition: its names are indexed once
 */
export function indexOfName(elements: readonly { readonly name: string }[], name: string): number {
  let index = indexes.get(elements);
  if (!index) {
    index = new Map();
    for (const [i, element] of elements.entries()) {
      const key = nameKey(element.name);
      if (!index.has(key)) index.set(key, i);
    }
    indexes.set(elements, index);
  }
  return index.get(nameKey(name)) ?? -1;
}

/** The first element with a name, as `indexOfName` finds it. */
export function findByName<Element extends { readonly name: string }>(
  elements: readonly Element[],
  name: string,
): Element | undefined {
  return elements[indexOfName(elements, name)];
}
