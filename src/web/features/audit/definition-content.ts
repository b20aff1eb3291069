/**
 * A definition as in a definition file, with the retired fields, without what else the service stores beside it.
 * @param stored as the history has it
 * @returns null: there is none, as before the creation
 */
export function definitionContent(stored: unknown): unknown {
  const definition = valueAt(stored, 'definition');
  if (definition === undefined || definition === null) return null;
  return {
    ...definition,
    retiredFields: retiredOf(valueAt(stored, 'retiredFields')),
    retiredKeywordFields: retiredOf(valueAt(stored, 'retiredKeywordFields')),
  };
}

/** Without those whose values another field shows. */
function retiredOf(stored: unknown): unknown {
  if (!Array.isArray(stored)) return [];
  const shown = stored.filter((one) => valueAt(one, 'isSuperseded') !== true);
  return shown.map((one) => valueAt(one, 'field'));
}

function valueAt(structure: unknown, key: string): unknown {
  return Reflect.get(Object(structure), key);
}
