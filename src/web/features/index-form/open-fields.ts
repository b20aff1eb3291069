import type { RevisionDetail } from '#shared/contract/answers.ts';
import { storedProblem } from '#web/fields/value-checks.ts';
import { fieldProblem, isBlank, isEdited } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { FieldValues } from './form-values.ts';

/**
 * The places of the fields that are empty or invalid, in form order.
 * @param refused places with an error from the service
 */
export function openPlaces(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
  values: FieldValues,
  refused: ReadonlySet<string>,
): string[] {
  const open = fields.filter((field) => {
    const value = values.get(field.place) ?? null;
    if (isBlank(value) || refused.has(field.place)) return true;
    const stored = storedIn(revision, field);
    return isEdited(field.definition, stored, value)
      ? fieldProblem(field.definition, value) !== null
      : storedProblem(field.definition, stored) !== null;
  });
  return open.map(({ place }) => place);
}

/** The places among them that prevent saving or acceptance: invalid values, and missing required ones. */
export function blockingPlaces(
  fields: readonly ArchiveField[],
  open: readonly string[],
  values: FieldValues,
): string[] {
  const required = new Set(
    fields.filter(({ definition }) => definition?.required).map(({ place }) => place),
  );
  return open.filter((place) => !isBlank(values.get(place)) || required.has(place));
}

/**
 * The next open field, wrapping around.
 * @param from the place of the focus; null: before the first field
 * @param by forwards or backwards
 * @returns null if no other field is open
 */
export function nextOpen(
  places: readonly string[],
  open: readonly string[],
  from: string | null,
  by: 1 | -1,
): string | null {
  const at = from === null ? -1 : places.indexOf(from);
  const start = at < 0 && by === -1 ? places.length : at;
  for (let step = 1; step <= places.length; step++) {
    const place = places[(start + step * by + places.length * 2) % places.length];
    if (place !== undefined && place !== from && open.includes(place)) return place;
  }
  return null;
}
