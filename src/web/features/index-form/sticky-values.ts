import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import {
  fieldProblem,
  type FieldValue,
  isBlank,
  isEdited,
  isSameValue,
} from '#web/fields/field-model.ts';
import { fieldsOf, storedIn } from '#web/fields/index-data.ts';
import { type FormEdits, fieldAt, type FieldValues } from './form-values.ts';

/** A field whose value is inserted into the next forms. */
export interface StickyValue {
  readonly value: FieldValue;
  /** the revision of the value */
  readonly from: string;
  /** revisions into which it is not inserted (again): it was saved there, or the user has restored the stored value */
  readonly settled: ReadonlySet<string>;
}

/** The sticky values of an archive, by place. */
export type StickyValues = ReadonlyMap<string, StickyValue>;

/**
 * The sticky values that change an opened revision: those of fields with another stored value. An empty one changes
 * nothing.
 */
export function applyStickyValues(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  pins: StickyValues,
): StickyValues {
  const fields = fieldsOf(archive).filter((field) => {
    const pin = pins.get(field.place);
    return (
      pin &&
      !isBlank(pin.value) &&
      !pin.settled.has(revision.revisionId) &&
      isEdited(field.definition, storedIn(revision, field), pin.value)
    );
  });
  const places = new Set(fields.map(({ place }) => place));
  return new Map([...pins].filter(([place]) => places.has(place)));
}

/** The edits of an opened form: those of its draft, and sticky values in all other fields. */
export function withStickyValues(sticky: StickyValues, draft: FormEdits | undefined): FormEdits {
  return new Map([
    ...[...sticky].map(([place, { value }]) => [place, value] as const),
    ...(draft ?? []),
  ]);
}

/** The state of a form when it is saved or left. */
interface Worked {
  readonly revisionId: string;
  readonly values: FieldValues;
  /** the places that were edited in it */
  readonly edited: ReadonlySet<string>;
  readonly saved: boolean;
}

/** The sticky values after work on a form: a valid typed value replaces the previous one. */
export function nextStickyValues(
  archive: ArchiveDetail,
  pins: StickyValues,
  { revisionId, values, edited, saved }: Worked,
): StickyValues {
  const next = [...pins].map(([place, pin]): [string, StickyValue] => {
    const value = values.get(place);
    const field = fieldAt(archive, place);
    const replaces =
      field &&
      value !== undefined &&
      edited.has(place) &&
      !isSameValue(value, pin.value) &&
      fieldProblem(field.definition, value) === null;
    const settled = saved ? new Set([...pin.settled, revisionId]) : pin.settled;
    return [place, replaces ? { value, from: revisionId, settled } : { ...pin, settled }];
  });
  return new Map(next);
}

/** The sticky values after some were restored in a revision: they are not inserted into it again. */
export function settleAt(
  pins: StickyValues,
  revisionId: string,
  places: Iterable<string>,
): StickyValues {
  const after = new Map(pins);
  for (const place of places) {
    const pin = pins.get(place);
    if (pin) after.set(place, { ...pin, settled: new Set([...pin.settled, revisionId]) });
  }
  return after;
}
