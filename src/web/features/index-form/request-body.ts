import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { parseField } from '#web/fields/field-model.ts';
import { bodyOf, fieldsOf, type IndexDataRequest, storedIn } from '#web/fields/index-data.ts';
import type { FormEdits } from './form-values.ts';

/** PATCH sends the changed fields, PUT all fields (docs/interface/rest-interface.md, section 4.1). */
export type SaveMethod = 'PATCH' | 'PUT';

type BuiltBody =
  | { readonly ok: true; readonly body: IndexDataRequest }
  /** messages by path */
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/**
 * The request body that saves the edits. Unedited fields are sent as they were read: their values never pass through an
 * editor.
 */
export function buildBody(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  edits: FormEdits,
  method: SaveMethod,
): BuiltBody {
  const problems = new Map<string, string>();
  const changed: { name: string; value: StoredContent }[] = [];
  for (const field of fieldsOf(archive)) {
    const { path, name, definition } = field;
    const value = edits.get(path);
    if (value === undefined) {
      // Keyword fields that are not in the request keep their values, even in a PUT.
      if (method === 'PUT' && definition) changed.push({ name, value: storedIn(revision, field) });
      continue;
    }
    const parsed = parseField(definition, value);
    if (parsed.ok) changed.push({ name, value: parsed.value });
    else problems.set(path, parsed.message);
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, body: bodyOf(changed) };
}
