import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { parseFieldValue } from '#web/fields/typed-text.ts';
import type { Edits } from './form-values.ts';
import {
  differs,
  type Held,
  type FieldValues,
  indexFieldAt,
  isBlank,
  isList,
  placesOf,
  isSameFieldValue,
} from './field-value.ts';

/** A field whose value is carried on into the forms that come. */
export interface StickyValue {
  readonly value: Held;
  /** the revision that the value comes from */
  readonly from: string;
  /** where it is not carried to (again): saved with it, or put back by the clerk */
  readonly settled: ReadonlySet<string>;
}

/** The carried fields of an archive, by place. */
export type StickyValues = ReadonlyMap<string, StickyValue>;

/**
 * What the carried fields make of a revision whose form is opened: the fields that get another value
 * than the stored one. Nothing is carried from an empty field.
 */
export function applyStickyValues(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  pins: StickyValues,
): StickyValues {
  const carried = [...pins].filter(
    ([place, { value, settled }]) =>
      !isBlank(value) &&
      !settled.has(revision.revisionId) &&
      placesOf(archive).includes(place) &&
      differs(archive, revision, place, value),
  );
  return new Map(carried);
}

/** The edits of a form that is opened: a draft's own stay, carried values lie over all other fields. */
export function withStickyValues(carried: StickyValues, draft: Edits | undefined): Edits {
  const fields = new Map<string, string | null>();
  const keywords = new Map<string, readonly string[]>();
  for (const [place, { value }] of carried) {
    const name = place.slice(place.indexOf('.') + 1);
    if (isList(value)) keywords.set(name, value);
    else fields.set(name, value);
  }
  for (const [name, text] of draft?.fields ?? []) fields.set(name, text);
  for (const [name, values] of draft?.keywords ?? []) keywords.set(name, values);
  return { fields, keywords };
}

/** A form as it is saved or left. */
interface Worked {
  readonly revisionId: string;
  readonly values: FieldValues;
  /** the places that were edited in it */
  readonly edited: ReadonlySet<string>;
  readonly saved: boolean;
}

/**
 * The carried fields after a form was worked on: a value that was typed there goes on in place of the
 * one before; one that was put back, or is none of the field, changes nothing.
 */
export function nextStickyValues(
  archive: ArchiveDetail,
  pins: StickyValues,
  worked: Worked,
): StickyValues {
  const { revisionId, values, edited, saved } = worked;
  const after = [...pins].map(([place, pin]): [string, StickyValue] => {
    const held = values.get(place);
    const goesOn =
      held !== undefined &&
      edited.has(place) &&
      !isSameFieldValue(held, pin.value) &&
      isValue(archive, place, held);
    const settled = saved ? new Set([...pin.settled, revisionId]) : pin.settled;
    return [place, goesOn ? { value: held, from: revisionId, settled } : { ...pin, settled }];
  });
  return new Map(after);
}

/** The carried fields once some were put back in a revision: they do not come there again. */
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

function isValue(archive: ArchiveDetail, place: string, held: Held): boolean {
  const field = indexFieldAt(archive, place);
  return !field || isList(held) || parseFieldValue(field, held).ok;
}

/** The places of edits. */
export function editedPlaces(edits: Edits): ReadonlySet<string> {
  return new Set([
    ...[...edits.fields.keys()].map((name) => `indexFields.${name}`),
    ...[...edits.keywords.keys()].map((name) => `keywordFields.${name}`),
  ]);
}
