import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import {
  fieldProblem,
  type FieldValue,
  isBlank,
  isEdited,
  isSameValue,
} from '#web/fields/field-model.ts';
import { fieldsOf, storedIn } from '#web/fields/index-data.ts';
import { type Edits, fieldAt, type FieldValues } from './form-values.ts';

/** A field whose value is carried over into the next forms. */
export interface StickyValue {
  readonly value: FieldValue;
  /** the revision that the value comes from */
  readonly from: string;
  /** revisions that it is not carried into (again): it was saved there, or the clerk has restored the stored value */
  readonly settled: ReadonlySet<string>;
}

/** The sticky values of an archive, by place. */
export type StickyValues = ReadonlyMap<string, StickyValue>;

/**
 * The sticky values that change a revision whose form is opened: those of fields that store another value. An
 * empty one changes nothing.
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

/** The edits of a form that is opened: those of its draft, and sticky values in all other fields. */
export function withStickyValues(sticky: StickyValues, draft: Edits | undefined): Edits {
  return new Map([
    ...[...sticky].map(([place, { value }]) => [place, value] as const),
    ...(draft ?? []),
  ]);
}

/** A form as it is saved or left. */
interface Worked {
  readonly revisionId: string;
  readonly values: FieldValues;
  /** the places that were edited in it */
  readonly edited: ReadonlySet<string>;
  readonly saved: boolean;
}

/** The sticky values after a form was worked on: a valid value that was typed there replaces the one before. */
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

/** The sticky values after some were restored in a revision: they are not carried into it again. */
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
