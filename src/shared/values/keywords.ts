import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/values.ts';
import { countCodePoints } from './code-points.ts';
import { JsonNumber, type JsonValue } from './json.ts';
import { parseType } from './value-rules.ts';

/** Unicode code points; what PostgreSQL's indexes can hold in any script. */
const MAX_KEYWORD_LENGTH = 255;

export type ParsedKeywords =
  | { readonly ok: true; readonly keywords: readonly string[] }
  | ({ readonly ok: false } & Message);

/** Reads one value of a keyword field (`{name, value}`); null and the empty text are no value. */
export function parseKeyword(raw: JsonValue): ParsedKeywords {
  const parsed = parseType({ type: 'text', scale: null }, raw);
  if (!parsed.ok) return parsed;
  const keyword = String(parsed.value ?? '');
  if (countCodePoints(keyword, MAX_KEYWORD_LENGTH) > MAX_KEYWORD_LENGTH) {
    return { ok: false, ...texts.keywordTooLong({ max: MAX_KEYWORD_LENGTH }) };
  }
  return { ok: true, keywords: keyword === '' ? [] : [keyword] };
}

/**
 * Reads all values of a keyword field from a comma list (`{name, keywords}`); blanks around them are ignored.
 * @param max the maximum number of values; a longer list is refused
 */
export function parseKeywordList(raw: JsonValue, max: number): ParsedKeywords {
  if (raw === null) return { ok: true, keywords: [] };
  if (typeof raw === 'object' && !(raw instanceof JsonNumber)) return parseKeyword(raw);
  const text = raw instanceof JsonNumber ? raw.source : String(raw);
  const keywords: string[] = [];
  // Not split as a whole: a body may hold a list of millions.
  for (let from = 0; from <= text.length;) {
    const comma = text.indexOf(',', from);
    const end = comma < 0 ? text.length : comma;
    const parsed = parseKeyword(text.slice(from, end).trim());
    if (!parsed.ok) return parsed;
    keywords.push(...parsed.keywords);
    if (keywords.length > max) return { ok: false, ...tooManyKeywords(max) };
    from = end + 1;
  }
  return { ok: true, keywords };
}

/**
 * Replaces values of a list, all at the same time. The order is preserved; of equal values only the first one stays.
 */
export function replaceKeywords(
  list: readonly string[],
  replacements: ReadonlyMap<string, string>,
): readonly string[] {
  const added = new Set(list.flatMap((value) => replacements.get(value) ?? []));
  const result: string[] = [];
  for (const value of list) {
    const next = replacements.get(value) ?? value;
    if (!added.has(next) || !result.includes(next)) result.push(next);
  }
  return result;
}

/** The message if a request gives a keyword field too many values. */
export function tooManyKeywords(max: number): Message {
  return texts.tooManyKeywords({ most: max });
}
