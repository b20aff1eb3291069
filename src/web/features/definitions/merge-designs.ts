import type { CheckValues } from './check-form.ts';
import type { DefinitionValues, DesignedField } from './definition-form.ts';

/** A design on top of a newer definition. */
export interface MergedDesign {
  readonly values: DefinitionValues;
  /** the labels of fields and checks that the user has changed and that no longer exist, by these names */
  readonly dropped: readonly string[];
}

/**
 * Applies what a user has changed to a newer definition (three-way merge). What the user has not changed is as others
 * have left it. Where both have changed the same property, the user's value remains: the preview shows it as a change.
 * @param base the definition on which the design is based
 * @param typed what the user has made of it
 * @param newer the present definition
 */
export function mergeDesigns(
  base: DefinitionValues,
  typed: DefinitionValues,
  newer: DefinitionValues,
): MergedDesign {
  const fields = mergeLists([base.fields, typed.fields, newer.fields], keyOfField);
  const checks = mergeLists([base.checks, typed.checks, newer.checks], keyOfCheck);
  return {
    values: {
      ...mergeProperties(base, typed, newer),
      fields: fields.items,
      checks: checks.items,
    },
    dropped: [...fields.dropped, ...checks.dropped].map(({ label, name }) => label || name),
  };
}

function keyOfField({ isKeywordField, savedName, name }: DesignedField): string {
  return JSON.stringify([isKeywordField, savedName === null, savedName ?? name]);
}

function keyOfCheck({ name }: CheckValues): string {
  return name;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function mergeProperties<Item extends object>(base: Item, typed: Item, newer: Item): Item {
  const merged = { ...newer };
  for (const key in merged) if (!isSame(base[key], typed[key])) merged[key] = typed[key];
  return merged;
}

/** Merges two changed versions of a list item by item. The result lacks what one of them has removed. */
function mergeLists<Item extends object>(
  [base, typed, newer]: readonly [readonly Item[], readonly Item[], readonly Item[]],
  keyOf: (item: Item) => string,
): { readonly items: Item[]; readonly dropped: Item[] } {
  const byKey = (items: readonly Item[]) => new Map(items.map((item) => [keyOf(item), item]));
  const [ofBase, ofTyped, ofNewer] = [byKey(base), byKey(typed), byKey(newer)];
  const items: Item[] = [];
  const dropped: Item[] = [];
  for (const key of mergeOrders([...ofBase.keys()], [...ofTyped.keys()], [...ofNewer.keys()])) {
    const [before, own, theirs] = [ofBase.get(key), ofTyped.get(key), ofNewer.get(key)];
    const added = own ?? theirs;
    if (!before && added) items.push(added);
    else if (before && own && theirs) items.push(mergeProperties(before, own, theirs));
    else if (own && !isSame(before, own)) dropped.push(own);
  }
  return { items, dropped };
}

/** All keys: in the order of the user if the user has changed it, else in that of the newer version. */
function mergeOrders(
  base: readonly string[],
  typed: readonly string[],
  newer: readonly string[],
): readonly string[] {
  const stayed = base.filter((key) => typed.includes(key));
  const isReordered = !isSame(
    stayed,
    typed.filter((key) => base.includes(key)),
  );
  const [first, second] = isReordered ? [typed, newer] : [newer, typed];
  const order = [...first];
  for (const [i, key] of second.entries()) {
    // What only the second has comes after what it follows there.
    if (!order.includes(key)) order.splice(order.indexOf(second[i - 1] ?? '') + 1, 0, key);
  }
  return order;
}
