import { splitList } from '#shared/rules/comma-list.ts';
import { parseKeyword, type ParsedKeywords, tooManyKeywords } from '#shared/values/keywords.ts';
import { sameList } from '../history/history.service.ts';

/**
 * Parses the values of a keyword field from a cell: a comma-separated list as exports write it. Spaces around values
 * are ignored, unless the record already has them; a repeated value counts once.
 * @param before the values of the record
 * @param maxKeywords the maximum number of values
 */
export function readKeywordCell(
  text: string,
  before: readonly string[],
  maxKeywords: number,
): ParsedKeywords {
  const list = text === '' ? [] : splitList(text);
  if (sameList(list, before)) return { ok: true, keywords: before };
  const keywords = new Set<string>();
  for (const item of list) {
    const parsed = parseKeyword(item.trim());
    if (!parsed.ok) return parsed;
    for (const keyword of parsed.keywords) keywords.add(keyword);
    if (keywords.size > maxKeywords) return { ok: false, ...tooManyKeywords(maxKeywords) };
  }
  return { ok: true, keywords: [...keywords] };
}
