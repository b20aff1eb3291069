import type { Collection } from '#server/database/records/collection.ts';
import { isNameVisible } from '#server/database/records/collection-view.ts';
import { joinList, splitList } from '#shared/rules/comma-list.ts';
import { findByName } from '#shared/rules/names.ts';
import { mapList, mapParameters } from './query-fields.ts';

/**
 * The query of a list, such as that of a shared view, without parts that name a field hidden from the user, or a check on
 * one.
 * @param query percent-encoded, with or without `?`
 */
export function visibleQuery(collection: Collection, query: string): string {
  if (!collection.restriction?.hidesFields) return query;
  const visible = (name: string) => (isNameVisible(collection, name) ? name : null);
  return mapParameters(query, (name, value) => {
    const named = [...name.matchAll(/\[(?<field>[^[\]]+)\]/gu)].map(
      ({ groups }) => groups?.['field'],
    );
    if (named.some((field = '') => visible(field) === null)) return null;
    // Clients may store parameters of their own, which may list fields too.
    const left =
      name === 'q'
        ? value
        : name.includes('[')
          ? visibleCondition(collection, name, value)
          : mapList(value, visible);
    return left === null ? null : { name, value: left };
  });
}

/** The value of a condition on the findings of checks without those that are hidden; other values as they are. */
function visibleCondition(collection: Collection, name: string, given: string): string | null {
  // A repeated condition has a number: the web admin's addresses need distinct names.
  const { field = '', operator } =
    /\[(?<field>[^[\]]+)\]\[(?<operator>[^[\]]*)\](?:\[\d+\])?$/u.exec(name)?.groups ?? {};
  if (operator !== 'eq' && operator !== 'in') return given;
  if (findByName(collection.listColumns, field)?.kind !== 'check') return given;
  // A rule for colours: `red:SUM`.
  const colour = name.startsWith('colour[') ? given.slice(0, given.indexOf(':') + 1) : '';
  const value = given.slice(colour.length);
  const names = operator === 'in' ? splitList(value) : [value];
  const left = names.filter((check) => isNameVisible(collection, `checks.${check}`));
  if (left.length === names.length) return given;
  return left.length === 0 ? null : colour + joinList(left);
}
