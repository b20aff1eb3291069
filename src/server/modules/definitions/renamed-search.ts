import { nameKey } from '#shared/rules/names.ts';
import { decodePart } from '#server/http/paths.ts';

/** The parameters of a list's address whose values are lists of fields. */
const LISTS: readonly string[] = ['sort', 'columns', 'widths', 'groupby'];

/**
 * The address of a list, such as that of a saved view, after fields were renamed. Parts without their names stay
 * unchanged.
 * @param search a query text, percent-encoded
 * @param names former names, in lower case, to present ones; keyword fields as `keyword.NAME`
 */
export function renameInSearch(search: string, names: ReadonlyMap<string, string>): string {
  const rename = (name: string) => names.get(nameKey(name)) ?? name;
  return search
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = [
        decode(equals < 0 ? pair : pair.slice(0, equals)),
        decode(equals < 0 ? '' : pair.slice(equals + 1)),
      ];
      const renamed = name.replaceAll(/\[([^[\]]+)\]/g, (_, field: string) => `[${rename(field)}]`);
      const list = LISTS.includes(name)
        ? value
            .split(',')
            .map((one) => {
              const [, sign = '', field = '', rest = ''] = /^(-?)([^:]*)(.*)$/s.exec(one) ?? [];
              return sign + rename(field) + rest;
            })
            .join(',')
        : value;
      if (renamed === name && list === value) return pair;
      return `${encodeURIComponent(renamed)}=${encodeURIComponent(list)}`;
    })
    .join('&');
}

/**
 * The address of a list without its parts about fields, such as their filters.
 * @param names keyword fields as `keyword.NAME`
 */
export function removeFieldsFromSearch(search: string, names: readonly string[]): string {
  const keys = new Set(names.map(nameKey));
  return search
    .split('&')
    .flatMap((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const fields = [...name.matchAll(/\[([^[\]]+)\]/g)].map(([, field = '']) => nameKey(field));
      if (fields.some((field) => keys.has(field))) return [];
      if (!LISTS.includes(name) || equals < 0) return [pair];
      const values = decode(pair.slice(equals + 1)).split(',');
      const left = values.filter((value) => {
        const [, field = ''] = /^-?([^:]*)/.exec(value) ?? [];
        return !keys.has(nameKey(field));
      });
      if (left.length === values.length) return [pair];
      return left.length === 0
        ? []
        : [`${encodeURIComponent(name)}=${encodeURIComponent(left.join(','))}`];
    })
    .join('&');
}

function decode(text: string): string {
  return decodePart(text.replaceAll('+', ' ')) ?? text;
}
