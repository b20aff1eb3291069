import type { CollectionDefinition } from './collection-definition.ts';
import type { DesignedField } from './definition-form.ts';

/**
 * The index to which a restored field moves: after the field that it stood after when it was retired, or after the one
 * before that if it is retired as well.
 * @param fields in their order, the restored one among them
 * @returns null: it stays where it is, as its former place is not known
 */
export function restoredIndex(
  definition: CollectionDefinition,
  fields: readonly DesignedField[],
  index: number,
): number | null {
  const restored = fields[index];
  if (!restored) return null;
  const { isKeywordField } = restored;
  const savedFields = isKeywordField ? definition.keywordFields : definition.fields;
  const savedAs = (name: string | null) => savedFields.find((saved) => saved.name === name);
  let place = savedAs(restored.savedName)?.stoodAfter;
  for (;;) {
    if (place === undefined) return null;
    if (place === null) break;
    const after = place;
    const found = fields.findIndex(
      (field) => field.savedName === after && field.isKeywordField === isKeywordField,
    );
    const predecessor = fields[found];
    if (!predecessor) return null;
    const isListedLast = predecessor.retiredAt !== null && savedAs(after)?.retiredAt !== null;
    // The field itself no longer counts before its new place.
    if (!isListedLast) return found < index ? found + 1 : found;
    place = savedAs(after)?.stoodAfter;
  }
  return fields.findIndex((field) => field.isKeywordField === isKeywordField);
}
