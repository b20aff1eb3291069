import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { type Edits, fieldsOf, isList, problemOf, type Stored, storedIn } from './form-values.ts';

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
  /** messages by place */
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/** The body that stores these values, by the fields' names. */
export function bodyOf(
  stored: readonly { readonly name: string; readonly value: Stored }[],
): IndexDataBody {
  const indexFields = stored.flatMap(({ name, value }) => (isList(value) ? [] : [{ name, value }]));
  const keywordFields = stored.flatMap(({ name, value }): readonly KeywordEntry[] => {
    if (!isList(value)) return [];
    return value.length === 0
      ? [{ name, keywords: '' }]
      : value.map((keyword) => ({ name, value: keyword }));
  });
  return {
    ...(indexFields.length > 0 ? { indexFields } : {}),
    ...(keywordFields.length > 0 ? { keywordFields } : {}),
  };
}

/**
 * The body that saves the edits. Fields that were not edited are sent as they were read: their values never
 * pass through an editor.
 */
export function buildBody(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  edits: Edits,
  method: SaveMethod,
): BuiltBody {
  const problems = new Map<string, string>();
  const changed: { name: string; value: Stored }[] = [];
  for (const field of fieldsOf(archive)) {
    const { place, name, definition } = field;
    const value = edits.get(place);
    if (value === undefined) {
      // Keyword fields that are not named keep their values, in a PUT too.
      if (method === 'PUT' && definition) changed.push({ name, value: storedIn(revision, field) });
      continue;
    }
    const problem = problemOf(field, value);
    if (problem !== null) problems.set(place, problem);
    else if (isList(value)) changed.push({ name, value });
    else if (definition) {
      const parsed = parseFieldValue(definition, value);
      if (parsed.ok) changed.push({ name, value: parsed.value });
    }
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, body: bodyOf(changed) };
}
