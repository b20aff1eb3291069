import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { parseKeyword } from '#shared/values/keywords.ts';
import type { Scalar } from '#shared/values/values.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';

export type IndexFieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];
export type KeywordFieldDefinition = ArchiveDetail['keywordFieldDefinitions'][number];

/** What is to stand in one field of every revision, as the clerk chose it. */
export type Change =
  /** `typed` null: the value is taken away */
  | {
      readonly kind: 'field';
      readonly field: IndexFieldDefinition;
      readonly typed: string | null;
    }
  /** replaces all values of a keyword field; an empty list takes them away */
  | {
      readonly kind: 'keywords';
      readonly field: KeywordFieldDefinition;
      readonly keywords: readonly string[];
    };

/** What a change comes to: the value to store, or why it is none. */
export type CheckedChange =
  | { readonly ok: true; readonly kind: 'field'; readonly name: string; readonly value: Scalar }
  | {
      readonly ok: true;
      readonly kind: 'keywords';
      readonly name: string;
      readonly keywords: readonly string[];
    }
  | { readonly ok: false; readonly place: string; readonly message: string };

/** Judges a change by the rules that the service will apply to it. */
export function checkChange(change: Change): CheckedChange {
  const { name } = change.field;
  if (change.kind === 'field') {
    const parsed = parseFieldValue(change.field, change.typed);
    return parsed.ok
      ? { ok: true, kind: 'field', name, value: parsed.value }
      : { ok: false, place: `indexFields.${name}`, message: parsed.message };
  }
  const keywords: string[] = [];
  for (const raw of change.keywords) {
    const parsed = parseKeyword(raw);
    if (!parsed.ok) return { ok: false, place: `keywordFields.${name}`, message: parsed.message };
    keywords.push(...parsed.keywords.filter((keyword) => !keywords.includes(keyword)));
  }
  return { ok: true, kind: 'keywords', name, keywords };
}
