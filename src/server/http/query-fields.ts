import { decodePart } from './paths.ts';

/** A condition of a list or of a colour up to its field, such as `where[FIELD]` of `where[FIELD][eq]`. */
export const CONDITION =
  /^(?<start>(?:where|colour|or\[[^[\]]*\])\[)(?<field>[^[\]]+)(?<end>\].*)$/su;
/** The parameters whose values are lists of fields. */
export const LISTS: readonly string[] = ['sort', 'columns', 'widths'];
const LIST_ENTRY = /^(?<sign>-?)(?<listed>[^:]*)(?<rest>.*)$/su;

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
    const list = mapFieldList(value, map);
    return list === null ? null : { name, value: list };
  });
}

/**
 * A list of fields, such as the value of `sort` or `widths`, with other names of fields.
 * @param map as of `mapFields`
 * @returns null: nothing is left
 */
export function mapFieldList(list: string, map: (name: string) => string | null): string | null {
  const mapped = list.split(',').flatMap((entry) => {
    const { sign = '', listed = '', rest = '' } = LIST_ENTRY.exec(entry)?.groups ?? {};
    const name = map(listed);
    return name === null ? [] : [sign + name + rest];
  });
  return mapped.length === 0 ? null : mapped.join(',');
}

/** The field that an entry of such a list names. */
export function fieldOfEntry(entry: string): string {
  return LIST_ENTRY.exec(entry)?.groups?.['listed'] ?? '';
}

/** The parts of the path of a field, such as `indexFields.NO`; null: it is no such path. */
export function readFieldPath(
  path: string,
): { readonly list: 'indexFields' | 'keywordFields'; readonly name: string } | null {
  for (const list of ['indexFields', 'keywordFields'] as const) {
    if (path.startsWith(`${list}.`)) return { list, name: path.slice(list.length + 1) };
  }
  return null;
}

/** A parameter of a query, decoded. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** The parameters of a query in their order. @param query percent-encoded, with or without `?` */
export function readParameters(query: string): Parameter[] {
  return readPairs(query).map(({ name, value }) => ({ name, value }));
}

/** A query of parameters, without `?`; the inverse of `readParameters`. */
export function writeParameters(parameters: readonly Parameter[]): string {
  return parameters.map(writePair).join('&');
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
  const mapped = readPairs(query).flatMap(({ pair, name, value }) => {
    const parameter = map(name, value);
    if (parameter === null) return [];
    const isSame = parameter.name === name && parameter.value === value;
    return [isSame ? pair : writePair(parameter)];
  });
  return (query.startsWith('?') ? '?' : '') + mapped.join('&');
}

function readPairs(query: string): (Parameter & { readonly pair: string })[] {
  const pairs = query.slice(query.startsWith('?') ? 1 : 0).split('&');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    return { pair, name, value: equals < 0 ? '' : decode(pair.slice(equals + 1)) };
  });
}

function writePair({ name, value }: Parameter): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function decode(text: string): string {
  return decodePart(text.replaceAll('+', ' ')) ?? text;
}
