import type { Collection } from '#server/database/records/collection.ts';
import { isNameVisible } from '#server/database/records/collection-view.ts';
import { joinList, splitList } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import { decodePart } from './paths.ts';

/**
 * The query of a list, such as that of a shared view, without parts that name a field hidden from the user, or a check on
 * one.
 * @param query percent-encoded, with or without `?`
 */
export function visibleQuery(collection: Collection, query: string): string {
  if (!collection.restriction?.hidesFields) return query;
  const start = query.startsWith('?') ? '?' : '';
  const pairs = query.slice(start.length).split('&');
  const visible = pairs.flatMap((pair) => visiblePair(collection, pair) ?? []);
  return start + visible.join('&');
}

function visiblePair(collection: Collection, pair: string): string | null {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  const isHidden = (field: string) => !isNameVisible(collection, field);
  if ([...name.matchAll(/\[([^[\]]+)\]/gu)].some(([, field = '']) => isHidden(field))) return null;
  if (equals < 0 || name === 'q') return pair;
  if (name.includes('[')) return visibleCondition(collection, pair, name);
  // Lists of fields: `columns`, `sort`, `widths`.
  const parts = decode(pair.slice(equals + 1)).split(',');
  const left = parts.filter((part) => !isHidden(part.replace(/^-/u, '').replace(/:\d+$/u, '')));
  if (left.length === parts.length) return pair;
  return left.length === 0
    ? null
    : `${pair.slice(0, equals)}=${encodeURIComponent(left.join(','))}`;
}

/** A condition on the findings of checks without those that are hidden; others as they are. */
function visibleCondition(collection: Collection, pair: string, name: string): string | null {
  // A repeated condition has a number: the web admin's addresses need distinct names.
  const { field = '', operator } =
    /\[(?<field>[^[\]]+)\]\[(?<operator>[^[\]]*)\](?:\[\d+\])?$/u.exec(name)?.groups ?? {};
  if (operator !== 'eq' && operator !== 'in') return pair;
  if (findByName(collection.listColumns, field)?.kind !== 'check') return pair;
  const equals = pair.indexOf('=');
  const given = decode(pair.slice(equals + 1));
  // A rule for colours: `red:SUM`.
  const colour = name.startsWith('colour[') ? given.slice(0, given.indexOf(':') + 1) : '';
  const value = given.slice(colour.length);
  const names = operator === 'in' ? splitList(value) : [value];
  const left = names.filter((check) => isNameVisible(collection, `checks.${check}`));
  if (left.length === names.length) return pair;
  return left.length === 0
    ? null
    : `${pair.slice(0, equals)}=${encodeURIComponent(colour + joinList(left))}`;
}

function decode(text: string): string {
  return decodePart(text.replaceAll('+', ' ')) ?? text;
}
