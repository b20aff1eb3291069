import type { Archive, Collection } from '#server/database/records/collection.ts';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { findByName } from '#shared/rules/names.ts';
import {
  CONDITION,
  LISTS,
  mapFieldList,
  mapParameters,
  type Parameter,
  readFieldPath,
} from './query-fields.ts';

/** The parameters of views that name neither fields nor checks. */
const WITHOUT_NAMES: readonly string[] = ['q', 'selected', 'view', 'frozen', 'lines'];

/**
 * The query of a list, such as that of a saved view, as a user from whom fields are hidden may see it: only with fields
 * and checks that the user sees. A hidden name is removed in the same way as an unknown one; otherwise a difference
 * would reveal that it is hidden. Parameters that clients have defined are removed too, because they may contain names
 * of fields.
 * @param query percent-encoded, with or without `?`
 */
export function visibleQuery(collection: Collection, query: string): string {
  if (!collection.restriction?.hidesFields) return query;
  return mapParameters(query, (name, value) => {
    const left = visibleValue(collection, { name, value });
    return left === null ? null : { name, value: left };
  });
}

/** The value of a parameter as such a user may see it; null: the user sees nothing of the parameter. */
export function visibleValue(collection: Collection, { name, value }: Parameter): string | null {
  if (WITHOUT_NAMES.includes(name)) return value;
  const visible = (field: string) => (findByName(collection.listColumns, field) ? field : null);
  if (LISTS.includes(name)) return mapFieldList(value, visible);
  const { field } = CONDITION.exec(name)?.groups ?? {};
  return field !== undefined && visible(field) !== null
    ? visibleCondition(collection, name, field, value)
    : null;
}

/**
 * The path of a field, such as `indexFields.NO`, as a user from whom fields are hidden may see it.
 * @returns null: the user sees no field there
 */
export function visiblePath(archive: Archive, path: string): string | null {
  if (!archive.restriction?.hidesFields) return path;
  const parts = readFieldPath(path);
  if (!parts) return null;
  const fields = parts.list === 'indexFields' ? archive.fields : archive.keywordFields;
  return findByName<{ readonly name: string }>(fields, parts.name) ? path : null;
}

/** The value of a condition on the findings of checks with those that the user sees; other values as they are. */
function visibleCondition(
  { checks, listColumns }: Collection,
  name: string,
  field: string,
  given: string,
): string | null {
  // A repeated condition has a number: the web admin's addresses need distinct names.
  const { operator } = /\[(?<operator>[^[\]]*)\](?:\[\d+\])?$/u.exec(name)?.groups ?? {};
  if (operator !== 'eq' && operator !== 'in') return given;
  if (findByName(listColumns, field)?.kind !== 'check') return given;
  // A rule for colours: `red:SUM`.
  const colour = name.startsWith('colour[') ? given.slice(0, given.indexOf(':') + 1) : '';
  const value = given.slice(colour.length);
  const names = operator === 'in' ? splitList(value) : [value];
  const left = names.filter((check) => findByName(checks, check));
  if (left.length === names.length) return given;
  return left.length === 0 ? null : colour + joinList(left);
}
