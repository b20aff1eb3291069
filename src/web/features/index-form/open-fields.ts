import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import { flawOf, keywordProblem, storedValue } from './form-values.ts';
import {
  differs,
  type FieldValues,
  indexFieldAt,
  isBlank,
  isList,
  placesOf,
} from './field-value.ts';

/**
 * The fields that still ask for something, in the order of the form: empty ones, and those whose value
 * the definition does not take.
 * @param refused places that the service said something about
 */
export function openPlaces(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  values: FieldValues,
  refused: ReadonlySet<string>,
): string[] {
  return placesOf(archive).filter((place) => {
    const held = values.get(place) ?? null;
    if (isBlank(held) || refused.has(place)) return true;
    if (isList(held)) return keywordProblem(held) !== null;
    const field = indexFieldAt(archive, place);
    if (!field) return false;
    return differs(archive, revision, place, held)
      ? !parseFieldValue(field, held).ok
      : flawOf(field, storedValue(revision, field.name)) !== null;
  });
}

/**
 * Of the open places those worth going to: what is wrong or required, and of the empty ones those that other
 * revisions usually have filled.
 * @param usual null: not known, so all of them
 */
export function worthwhilePlaces(
  open: readonly string[],
  urgent: readonly string[],
  usual: ReadonlySet<string> | null,
): readonly string[] {
  return open.filter((place) => urgent.includes(place) || usual === null || usual.has(place));
}

/** Of the open places those where nothing can be saved or taken as right: wrong ones, and required ones that are empty. */
export function urgentPlaces(
  archive: ArchiveDetail,
  open: readonly string[],
  values: FieldValues,
): string[] {
  return open.filter(
    (place) => !isBlank(values.get(place)) || indexFieldAt(archive, place)?.required === true,
  );
}

/**
 * The open field that comes next, around the end of the form to its beginning.
 * @param here where the cursor is; null: before the first field
 * @param by forwards or back
 * @returns null where none but this one is open
 */
export function nextOpen(
  places: readonly string[],
  open: readonly string[],
  here: string | null,
  by: 1 | -1,
): string | null {
  const at = here === null ? -1 : places.indexOf(here);
  const from = at < 0 && by === -1 ? places.length : at;
  for (let step = 1; step <= places.length; step++) {
    const place = places[(from + step * by + places.length * 2) % places.length];
    if (place !== undefined && place !== here && open.includes(place)) return place;
  }
  return null;
}
