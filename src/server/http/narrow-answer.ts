import { keywordFieldName, nameKey } from '#shared/rules/names.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fieldNumbersOf, fullCollectionOf } from '#server/database/records/collection-view.ts';
import { visiblePath, visibleQuery } from './visible-query.ts';

/**
 * Reads the numbers of the fields that have had each name, by `nameKey` of the name; of keyword fields of
 * `keyword.NAME`.
 */
export type ReadFormerNames = (
  db: Transaction,
  collection: Collection,
) => Promise<ReadonlyMap<string, ReadonlySet<number>>>;

/** What a user may see of stored answers. */
interface VisibleParts {
  readonly collection: Collection;
  /** the names that mean visible fields, also former ones, by `nameKey` */
  readonly names: ReadonlySet<string>;
}

/**
 * A stored answer for an archive or table as the user may see it now, without values, changes, edits and filters of fields
 * that are hidden now.
 * @param body JSON
 */
export async function narrowAnswer(
  db: Transaction,
  collection: Collection | null,
  body: string,
  readFormerNames: ReadFormerNames,
): Promise<string> {
  if (!collection?.restriction?.hidesFields) return body;
  const names = visibleNames(collection, await readFormerNames(db, collection));
  const answer: unknown = JSON.parse(body);
  return JSON.stringify(narrow({ collection, names }, '', answer));
}

/**
 * The names that visible fields have, without those that a hidden field has had too, and those that no other field has had.
 * Whether a retired field was hidden is not known.
 */
function visibleNames(
  collection: Collection,
  formerNames: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlySet<string> {
  const visible = fieldNumbersOf(collection);
  const all = fieldNumbersOf(fullCollectionOf(collection));
  const isHidden = (number: number) => all.has(number) && !visible.has(number);
  const names = new Set([
    ...collection.fields.map(({ name }) => nameKey(name)),
    ...collection.keywordFields.map(({ name }) => nameKey(keywordFieldName(name))),
  ]);
  for (const [name, numbers] of formerNames) {
    const had = [...numbers];
    if (had.every((number) => visible.has(number))) names.add(name);
    if (had.some(isHidden)) names.delete(name);
  }
  return names;
}

/** The objects with the query of a list or the path of a field: queues, views and the last view. */
const WITH_QUERY: ReadonlySet<string> = new Set(['queues', 'views', '']);

/** @param key of the object that contains the value */
function narrow(visible: VisibleParts, key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    return list
      .filter((entry) => isEntryVisible(visible, key, entry))
      .map((entry) => narrow(visible, key, entry));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => key !== 'datasets' || name === 'jrid' || hasVisibleField(visible, name),
  );
  const hasQuery = WITH_QUERY.has(key);
  return Object.fromEntries(
    entries.map(([name, content]) => [
      name,
      hasQuery && typeof content === 'string'
        ? narrowText(visible.collection, name, content)
        : narrow(visible, name, content),
    ]),
  );
}

/** Whether the user sees a field of this name, or `keyword.NAME`. */
function hasVisibleField({ names }: VisibleParts, name: string): boolean {
  return names.has(nameKey(name));
}

/** @param name of the property of a queue, a view or the last view */
function narrowText(collection: Collection, name: string, text: string): string | null {
  if (name === 'filter' || name === 'search') return visibleQuery(collection, text);
  return name === 'field' && collection.kind === 'archive' ? visiblePath(collection, text) : text;
}

/** @param key of the list that contains the entry */
function isEntryVisible(visible: VisibleParts, key: string, entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return true;
  const check: unknown = Reflect.get(entry, 'check');
  if (typeof check === 'string') return isFindingVisible(visible, check, entry);
  const name: unknown = Reflect.get(entry, key === 'edits' ? 'field' : 'name');
  if (typeof name !== 'string') return true;
  switch (key) {
    case 'indexFields':
    case 'changes':
      return hasVisibleField(visible, name);
    case 'keywordFields':
      return hasVisibleField(visible, keywordFieldName(name));
    case 'edits': {
      const from: unknown = Reflect.get(entry, 'from');
      return (
        hasVisibleField(visible, name) &&
        (typeof from !== 'string' || hasVisibleField(visible, from))
      );
    }
    default:
      return true;
  }
}

/** A check that names a hidden field is invisible; a built-in one may still refer to visible fields. */
function isFindingVisible(visible: VisibleParts, check: string, finding: object): boolean {
  const fields: unknown = Reflect.get(finding, 'fields');
  const names: unknown[] = Array.isArray(fields) ? fields : [];
  return (
    visible.collection.checks.some(({ name }) => name === check) &&
    names.every((name) => typeof name === 'string' && hasVisibleField(visible, name))
  );
}
