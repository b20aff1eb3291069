import type { ArchiveDetail, RevisionDetail } from '#shared/answers.ts';
import { readHeld } from '#web/ui/fields/typed-text.ts';
import type { Edits } from './form-values.ts';
import {
  differs,
  type Held,
  type HeldValues,
  indexFieldAt,
  isBlank,
  isList,
  placesOf,
  sameHeld,
} from './held.ts';

/** A field whose value is carried on into the forms that come. */
export interface Pin {
  readonly value: Held;
  /** the revision that the value comes from */
  readonly from: string;
  /** where it is not carried to (again): saved with it, or put back by the clerk */
  readonly settled: ReadonlySet<string>;
}

/** The carried fields of an archive, by place. */
export type Pins = ReadonlyMap<string, Pin>;

/**
 * What the carried fields make of a revision whose form is opened: the fields that get another value
 * than the stored one. Nothing is carried from an empty field.
 */
export function carriedInto(archive: ArchiveDetail, revision: RevisionDetail, pins: Pins): Pins {
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
export function withCarried(carried: Pins, draft: Edits | undefined): Edits {
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
  readonly values: HeldValues;
  /** the places that were edited in it */
  readonly edited: ReadonlySet<string>;
  readonly saved: boolean;
}

/**
 * The carried fields after a form was worked on: a value that was typed there goes on in place of the
 * one before; one that was put back, or is none of the field, changes nothing.
 */
export function pinsAfter(archive: ArchiveDetail, pins: Pins, worked: Worked): Pins {
  const { revisionId, values, edited, saved } = worked;
  const after = [...pins].map(([place, pin]): [string, Pin] => {
    const held = values.get(place);
    const goesOn =
      held !== undefined &&
      edited.has(place) &&
      !sameHeld(held, pin.value) &&
      isValue(archive, place, held);
    const settled = saved ? new Set([...pin.settled, revisionId]) : pin.settled;
    return [place, goesOn ? { value: held, from: revisionId, settled } : { ...pin, settled }];
  });
  return new Map(after);
}

/** The carried fields once some were put back in a revision: they do not come there again. */
export function settleAt(pins: Pins, revisionId: string, places: Iterable<string>): Pins {
  const after = new Map(pins);
  for (const place of places) {
    const pin = pins.get(place);
    if (pin) after.set(place, { ...pin, settled: new Set([...pin.settled, revisionId]) });
  }
  return after;
}

function isValue(archive: ArchiveDetail, place: string, held: Held): boolean {
  const field = indexFieldAt(archive, place);
  return !field || isList(held) || readHeld(field, held).ok;
}

/** The places of edits. */
export function editedPlaces(edits: Edits): ReadonlySet<string> {
  return new Set([
    ...[...edits.fields.keys()].map((name) => `indexFields.${name}`),
    ...[...edits.keywords.keys()].map((name) => `keywordFields.${name}`),
  ]);
}
