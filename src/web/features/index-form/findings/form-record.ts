import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { isBlank, isEdited, parseField } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { CheckedRecord } from '#web/findings/finding.ts';
import type { FormValues } from '../form-values.ts';

/** Parses the index fields of a form. Unchanged values are taken as stored. */
export function parseFormRecord(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
  { values }: FormValues,
): CheckedRecord {
  const now = new Map<string, Scalar>();
  const edited = new Set<string>();
  const unreadable = new Set<string>();
  for (const [at, field] of fields.entries()) {
    const { name, definition } = field;
    const value = values[at] ?? null;
    const stored = storedIn(revision, field);
    if (!definition || isList(value) || isList(stored)) continue;
    if (!isEdited(definition, stored, value)) {
      now.set(name, stored);
      continue;
    }
    edited.add(name);
    const parsed = parseField(definition, value);
    if (parsed.ok) now.set(name, parsed.value);
    else if (!isBlank(value)) unreadable.add(name);
  }
  return { fields, valueOf: (name) => now.get(name) ?? null, edited, unreadable };
}
