import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { isBlank, isEdited, parseField } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FormValues } from '../form-values.ts';

/** The revision as its form holds it now, for checks. */
export interface FormRecord {
  readonly fields: readonly ArchiveField[];
  /** the value of an index field, by its name; null where it is empty or cannot be read */
  readonly valueOf: (name: string) => Scalar;
  /** the names of the fields that the clerk has changed */
  readonly edited: ReadonlySet<string>;
  /** those whose editors hold no value of their type: checks on them say nothing */
  readonly unreadable: ReadonlySet<string>;
}

/** Reads the index fields of a form. Values that were not changed are taken as they are stored. */
export function recordOf(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
  { values }: FormValues,
): FormRecord {
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
