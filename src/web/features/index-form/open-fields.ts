import type { RevisionDetail } from '#shared/contract/answers.ts';
import { storedProblem } from '#web/fields/value-checks.ts';
import { fieldProblem, isBlank, isEdited } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { FieldValues } from './form-values.ts';

/**
 * The paths of the fields that are empty or invalid, in form order.
 * @param refused paths with an error from the service
 */
export function openPaths(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
  values: FieldValues,
  refused: ReadonlySet<string>,
): string[] {
  const open = fields.filter((field) => {
    const value = values.get(field.path) ?? null;
    if (isBlank(value) || refused.has(field.path)) return true;
    const stored = storedIn(revision, field);
    return isEdited(field.definition, stored, value)
      ? fieldProblem(field.definition, value) !== null
      : storedProblem(field.definition, stored) !== null;
  });
  return open.map(({ path }) => path);
}

/** The paths among them that prevent saving or acceptance: invalid values, and missing required ones. */
export function blockingPaths(
  fields: readonly ArchiveField[],
  open: readonly string[],
  values: FieldValues,
): string[] {
  const required = new Set(
    fields.filter(({ definition }) => definition?.required).map(({ path }) => path),
  );
  return open.filter((path) => !isBlank(values.get(path)) || required.has(path));
}

/**
 * The next open field, wrapping around.
 * @param from the path of the focus; null: before the first field
 * @param by forwards or backwards
 * @returns null if no other field is open
 */
export function nextOpen(
  paths: readonly string[],
  open: readonly string[],
  from: string | null,
  by: 1 | -1,
): string | null {
  const at = from === null ? -1 : paths.indexOf(from);
  const start = at < 0 && by === -1 ? paths.length : at;
  for (let step = 1; step <= paths.length; step++) {
    const path = paths[(start + step * by + paths.length * 2) % paths.length];
    if (path !== undefined && path !== from && open.includes(path)) return path;
  }
  return null;
}
