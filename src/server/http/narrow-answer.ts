import { findByName, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { visiblePath, visibleQuery } from './visible-query.ts';

/**
 * A stored answer for an archive or table as the user may see it now, without values, changes, edits and filters of fields
 * that are hidden now.
 * @param body JSON
 */
export function narrowAnswer(collection: Collection | null, body: string): string {
  if (!collection?.restriction?.hidesFields) return body;
  const answer: unknown = JSON.parse(body);
  return JSON.stringify(narrow(collection, '', answer));
}

/** The objects with the query of a list or the path of a field: queues, views and the last view. */
const WITH_QUERY: ReadonlySet<string> = new Set(['queues', 'views', '']);

/** @param key of the object that contains the value */
function narrow(collection: Collection, key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    return list
      .filter((entry) => isEntryVisible(collection, key, entry))
      .map((entry) => narrow(collection, key, entry));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => key !== 'datasets' || name === 'jrid' || hasVisibleField(collection, name),
  );
  const hasQuery = WITH_QUERY.has(key);
  return Object.fromEntries(
    entries.map(([name, content]) => [
      name,
      hasQuery && typeof content === 'string'
        ? narrowText(collection, name, content)
        : narrow(collection, name, content),
    ]),
  );
}

/**
 * Whether the user sees a field of this name, or `keyword.NAME`. A name that no field has today may have been that of a
 * hidden one.
 */
function hasVisibleField({ fields, keywordFields }: Collection, name: string): boolean {
  const keyword = keywordNameIn(name);
  return keyword === null
    ? findByName(fields, name) !== undefined
    : findByName<{ readonly name: string }>(keywordFields, keyword) !== undefined;
}

/** @param name of the property of a queue, a view or the last view */
function narrowText(collection: Collection, name: string, text: string): string | null {
  if (name === 'filter' || name === 'search') return visibleQuery(collection, text);
  return name === 'field' && collection.kind === 'archive' ? visiblePath(collection, text) : text;
}

/** @param key of the list that contains the entry */
function isEntryVisible(collection: Collection, key: string, entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return true;
  const check: unknown = Reflect.get(entry, 'check');
  if (typeof check === 'string') return isFindingVisible(collection, check, entry);
  const name: unknown = Reflect.get(entry, key === 'edits' ? 'field' : 'name');
  if (typeof name !== 'string') return true;
  switch (key) {
    case 'indexFields':
    case 'changes':
      return hasVisibleField(collection, name);
    case 'keywordFields':
      return hasVisibleField(collection, keywordFieldName(name));
    case 'edits': {
      const from: unknown = Reflect.get(entry, 'from');
      return (
        hasVisibleField(collection, name) &&
        (typeof from !== 'string' || hasVisibleField(collection, from))
      );
    }
    default:
      return true;
  }
}

/** A check that names a hidden field is invisible; a built-in one may still refer to visible fields. */
function isFindingVisible(collection: Collection, check: string, finding: object): boolean {
  const fields: unknown = Reflect.get(finding, 'fields');
  const names: unknown[] = Array.isArray(fields) ? fields : [];
  return (
    collection.checks.some(({ name }) => name === check) &&
    names.every((name) => typeof name === 'string' && hasVisibleField(collection, name))
  );
}
