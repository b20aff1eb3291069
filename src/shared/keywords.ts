import { countCodePoints } from './code-points.ts';
import { JsonNumber, type JsonValue } from './json.ts';
import { parseType } from './values.ts';

/** Unicode code points; what PostgreSQL's indexes can hold of any script. */
const MAX_KEYWORD_LENGTH = 255;

export type ParsedKeywords =
  | { readonly ok: true; readonly keywords: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Reads one value of a keyword field (`{name, value}`); null and the empty text are no value. */
export function parseKeyword(raw: JsonValue): ParsedKeywords {
  const parsed = parseType({ type: 'text', scale: null }, raw);
  if (!parsed.ok) return parsed;
  const keyword = String(parsed.value ?? '');
  if (countCodePoints(keyword, MAX_KEYWORD_LENGTH) > MAX_KEYWORD_LENGTH) {
    return { ok: false, message: `A keyword may have at most ${MAX_KEYWORD_LENGTH} characters.` };
  }
  return { ok: true, keywords: keyword === '' ? [] : [keyword] };
}

/** Reads all values of a keyword field from a comma list (`{name, keywords}`); blanks around them do not count. */
export function parseKeywordList(raw: JsonValue): ParsedKeywords {
  if (raw === null) return { ok: true, keywords: [] };
  if (typeof raw === 'object' && !(raw instanceof JsonNumber)) return parseKeyword(raw);
  const text = raw instanceof JsonNumber ? raw.source : String(raw);
  const keywords: string[] = [];
  for (const item of text.split(',')) {
    const parsed = parseKeyword(item.trim());
    if (!parsed.ok) return parsed;
    keywords.push(...parsed.keywords);
  }
  return { ok: true, keywords };
}
