import * as texts from '#messages/designer.ts';
import * as inputTexts from '#messages/inputs.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { propertyLabel, propertyValueText } from './setting-texts.ts';

/** A value inside of a structure, such as the definition of a field or a right, that differs before and after. */
export interface StructureChange {
  /** the labels of the properties and names of list entries that lead to it; empty: the structure itself */
  readonly path: readonly string[];
  /** the keys of objects that lead to it */
  readonly keys: readonly string[];
  /** null: there was none; undefined: only the order of a list differs */
  readonly before: StoredContent | undefined;
  /** null: there is none */
  readonly after: StoredContent;
}

/** A place in a structure. */
interface Place {
  readonly path: readonly string[];
  /** the last keys of objects that lead to it, the nearest last */
  readonly keys: readonly string[];
  /** whether it is an entry of a list */
  readonly isEntry: boolean;
}

/**
 * The values that differ between two JSON structures, worded as in the designer. Entries of lists are compared by their
 * `name`, if all have one. A list or an entry that is only on one side is one change. No value, `false`, an empty text
 * and an empty list are the same.
 */
export function structureChanges(
  before: unknown,
  after: unknown,
  place: Place = { path: [], keys: [], isEntry: false },
): StructureChange[] {
  if (isSame(before, after)) return [];
  const [oldValues, newValues] = [propertiesOf(before), propertiesOf(after)];
  const isWhole = place.isEntry && (isEmpty(before) || isEmpty(after));
  if (oldValues && newValues && !isWhole) {
    return namesIn(oldValues, newValues).flatMap((key) =>
      structureChanges(oldValues.get(key), newValues.get(key), {
        path: [...place.path, propertyLabel(key)],
        keys: [...place.keys, key],
        isEntry: false,
      }),
    );
  }
  const [oldEntries, newEntries] = [entriesOf(before), entriesOf(after)];
  if (oldEntries && newEntries) {
    const names = namesIn(oldEntries, newEntries);
    const changed = names.flatMap((name) =>
      structureChanges(oldEntries.get(name), newEntries.get(name), {
        ...place,
        path: [...place.path, name],
        isEntry: true,
      }),
    );
    const common = (entries: Values) =>
      [...entries.keys()].filter((name) => oldEntries.has(name) && newEntries.has(name));
    const order = common(newEntries);
    if (isSame(common(oldEntries), order)) return changed;
    const path = [...place.path, texts.order];
    return [...changed, { path, keys: place.keys, before: undefined, after: order }];
  }
  const stored = (value: unknown) => storedOf(value, place.keys);
  return [{ path: place.path, keys: place.keys, before: stored(before), after: stored(after) }];
}

function isSame(before: unknown, after: unknown): boolean {
  return isEmpty(before) ? isEmpty(after) : JSON.stringify(before) === JSON.stringify(after);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value && value !== 0;
}

type Values = ReadonlyMap<string, unknown>;

function namesIn(...sides: readonly Values[]): string[] {
  return [...new Set(sides.flatMap((side) => [...side.keys()]))];
}

/** The properties of an object; empty: no value; undefined: not an object. */
function propertiesOf(value: unknown): Values | undefined {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

/** The entries of a list by their names; undefined: not a list, or an entry has no name. */
function entriesOf(value: unknown): Values | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = new Map<string, unknown>();
  for (const entry of value) {
    const name = nameOf(entry);
    if (name === undefined) return undefined;
    entries.set(name, entry);
  }
  return entries;
}

function nameOf(entry: unknown): string | undefined {
  const name = propertiesOf(entry)?.get('name');
  return typeof name === 'string' ? name : undefined;
}

function storedOf(value: unknown, keys: readonly string[]): StoredContent {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return propertyValueText(keys, value);
  if (Array.isArray(value)) {
    // Entries without names are texts, or lists of columns.
    return value.map((entry: unknown) => nameOf(entry) ?? [entry].flat().join(', '));
  }
  return Object.entries(value)
    .filter(([key, property]) => key !== 'name' && !isEmpty(property))
    .map(([key, property]) => {
      const text = storedOf(property, [...keys, key]);
      const written = typeof text === 'boolean' ? inputTexts.yes : [text].flat().join(', ');
      return texts.propertyWithValue({ property: propertyLabel(key), value: written });
    });
}
