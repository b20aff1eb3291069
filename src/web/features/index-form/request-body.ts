import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { type Edits, keywordProblem, storedValue } from './form-values.ts';

/** PATCH sends the changed fields, PUT the full set (docs/interface/rest-interface.md, section 4.1). */
export type SaveMethod = 'PATCH' | 'PUT';

/** The body of the two calls (docs/interface/decisions.md, section 5). */
export interface IndexDataBody {
  readonly indexFields?: readonly { readonly name: string; readonly value: Scalar }[];
  readonly keywordFields?: readonly KeywordEntry[];
}

type KeywordEntry =
  | { readonly name: string; readonly value: string }
  /** empties the keyword field */
  | { readonly name: string; readonly keywords: '' };

export type BuiltBody =
  | { readonly ok: true; readonly body: IndexDataBody }
  /** messages by place, as the service would name it */
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/**
 * The body that saves the edits. Fields that nobody touched go as they were read: their values never
 * pass through an editor.
 */
export function buildBody(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  edits: Edits,
  method: SaveMethod,
): BuiltBody {
  const problems = new Map<string, string>();
  const indexFields: { name: string; value: Scalar }[] = [];
  for (const field of archive.indexFieldDefinitions) {
    const text = edits.fields.get(field.name);
    if (text === undefined) {
      if (method === 'PUT') {
        indexFields.push({ name: field.name, value: storedValue(revision, field.name) });
      }
      continue;
    }
    const parsed = parseFieldValue(field, text);
    if (parsed.ok) indexFields.push({ name: field.name, value: parsed.value });
    else problems.set(`indexFields.${field.name}`, parsed.message);
  }
  for (const [name, keywords] of edits.keywords) {
    const problem = keywordProblem(keywords);
    if (problem !== null) problems.set(`keywordFields.${name}`, problem);
  }
  if (problems.size > 0) return { ok: false, problems };
  // Keyword fields that are not named keep their values, in a PUT too.
  const keywordFields = [...edits.keywords].flatMap(([name, keywords]): KeywordEntry[] =>
    keywords.length === 0 ? [{ name, keywords: '' }] : keywords.map((value) => ({ name, value })),
  );
  return {
    ok: true,
    body: {
      ...(indexFields.length > 0 ? { indexFields } : {}),
      ...(keywordFields.length > 0 ? { keywordFields } : {}),
    },
  };
}
