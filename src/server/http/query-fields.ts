import { decodePart } from './paths.ts';

/** A condition of a list or of a colour up to its field, such as `where[FIELD]` of `where[FIELD][eq]`. */
export const CONDITION =
  /^(?<start>(?:where|colour|or\[[^[\]]*\])\[)(?<field>[^[\]]+)(?<end>\].*)$/su;
/** The parameters whose values are lists of fields. */
export const LISTS: readonly string[] = ['sort', 'columns', 'widths'];

/**
 * The query of a list, such as that of a saved view, with other names of fields. Parts whose names stay are not changed.
 * @param query percent-encoded, with or without `?`
 * @param map from the name of a field, keyword fields as `keyword.NAME`, to the name it gets; null removes the parts that
 * name it
 */
export function mapFields(query: string, map: (name: string) => string | null): string {
  return mapParameters(query, (name, value) => {
    const { start = '', field, end = '' } = CONDITION.exec(name)?.groups ?? {};
    if (field !== undefined) {
      const mapped = map(field);
      return mapped === null ? null : { name: start + mapped + end, value };
    }
    if (!LISTS.includes(name) || value === '') return { name, value };
    const list = mapList(value, map);
    return list === null ? null : { name, value: list };
  });
}

/**
 * A list of fields, such as the value of `sort` or `widths`, with other names of fields.
 * @param map as of `mapFields`
 * @returns null: nothing is left
 */
export function mapList(list: string, map: (name: string) => string | null): string | null {
  const mapped = list.split(',').flatMap((entry) => {
    const {
      sign = '',
      listed = '',
      rest = '',
    } = /^(?<sign>-?)(?<listed>[^:]*)(?<rest>.*)$/su.exec(entry)?.groups ?? {};
    const name = map(listed);
    return name === null ? [] : [sign + name + rest];
  });
  return mapped.length === 0 ? null : mapped.join(',');
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * The query of a list with other parameters. Those that stay keep their encoding.
 * @param query percent-encoded, with or without `?`
 * @param map from the decoded name and value of a parameter to those it gets; null removes it
 */
export function mapParameters(
  query: string,
  map: (name: string, value: string) => Parameter | null,
): string {
  const start = query.startsWith('?') ? '?' : '';
  const pairs = query.slice(start.length).split('&');
  const mapped = pairs.flatMap((pair) => {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const parameter = map(name, value);
    if (parameter === null) return [];
    return parameter.name === name && parameter.value === value
      ? [pair]
      : [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(parameter.value)}`];
  });
  return start + mapped.join('&');
}

function decode(text: string): string {
  return decodePart(text.replaceAll('+', ' ')) ?? text;
}
