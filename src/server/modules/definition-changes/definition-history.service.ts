import { isSameJson } from '#server/lib/same-json.ts';
import * as z from 'zod';
import * as texts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { RequestedDefinition, RequestedField } from '#shared/contract/configuration-bodies.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import { findByName, isSameName } from '#shared/rules/names.ts';
import { readHistoryAbout, type Change } from '../history/history.service.ts';
import { PURGE_CHANGE } from '../purges/purged-entries.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import type { StoredDefinition } from '../definitions/stored-definitions.ts';
import { nameBefore } from './fields-planner.ts';
import {
  activeOf,
  formerOf,
  latest,
  successorOf,
  type DefinitionState,
  type FieldState,
} from '../definitions/definition-state.ts';
import { parseDefinitionState } from '../definitions/definition-json.ts';

type StoredEntry = Awaited<ReturnType<typeof readHistoryAbout>>[number];

/** The history of a definition, newest first, in the form of the answer. */
export async function readDefinitionHistory(
  db: Transaction,
  definition: StoredDefinition,
): Promise<HistoryEntry[]> {
  return (await entriesOf(db, definition)).map((entry) => {
    const { before, after } = statesOf(definition, entry);
    return {
      historyId: String(entry.id),
      at: isoTime(entry.at),
      user: entry.username,
      call: entry.call,
      changes: [
        ...(after ? changesBetween(before, after) : []),
        ...entry.changes.filter(({ name }) => name === 'retiredAt').map(atInstant),
        ...entry.changes.filter(({ name }) => name === PURGE_CHANGE),
      ],
    };
  });
}

function entriesOf(db: Transaction, { id, state }: StoredDefinition): Promise<StoredEntry[]> {
  return readHistoryAbout(db, { kind: 'definition', id: DEFINITION_SUBJECT_IDS[state.kind] }, id);
}

const retirementSchema = z.number().nullable();

function atInstant({ name, before, after }: Change): Change {
  const instant = (value: unknown) => isoTime(retirementSchema.parse(value));
  return { name, before: instant(before), after: instant(after) };
}

/** The definition before and after an entry; null: it did not exist, or the entry is not about its content. */
function statesOf(
  { state: { kind } }: StoredDefinition,
  { changes }: StoredEntry,
): { readonly before: DefinitionState | null; readonly after: DefinitionState | null } {
  const change = changes.find(({ name }) => name === 'definition');
  const read = (json: unknown) => (json ? parseDefinitionState(kind, JSON.stringify(json)) : null);
  return { before: read(change?.before), after: read(change?.after) };
}

/** The differences between two states by property and field. */
function changesBetween(before: DefinitionState | null, after: DefinitionState): Change[] {
  const isArchive = after.kind === 'archive';
  const properties: [string, unknown, unknown][] = [
    [isArchive ? 'table' : 'name', before?.name, after.name],
    [isArchive ? 'name' : 'label', before?.label, after.label],
    ['description', before?.description ?? '', after.description],
    ['uniqueTogether', before?.uniqueTogether ?? [], after.uniqueTogether],
    ...checkChanges(before?.checks ?? [], after.checks),
    ['checksOff', before?.checksOff ?? [], after.checksOff],
    ...fieldChanges(isArchive ? 'indexFields' : 'columns', before?.fields ?? [], after.fields),
    ...fieldChanges('keywordFields', before?.keywordFields ?? [], after.keywordFields),
  ];
  return properties
    .map(([name, old, now]) => ({ name, before: old ?? null, after: now ?? null }))
    .filter((change) => !isSameJson(change.before, change.after));
}

/** The differences of checks, by their names. */
function checkChanges(
  before: readonly CheckDefinition[],
  after: readonly CheckDefinition[],
): [string, unknown, unknown][] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.map((name) => [`checks.${name}`, findByName(before, name), findByName(after, name)]);
}

function fieldChanges<Field extends { readonly name: string; readonly label: string }>(
  part: string,
  before: readonly FieldState<Field>[],
  after: readonly FieldState<Field>[],
): [string, unknown, unknown][] {
  const shown = after.filter(({ isSuperseded }) => !isSuperseded);
  const changes = shown.map((one): [string, unknown, unknown] => {
    const former = formerOf(before, one);
    return [`${part}.${one.field.name}`, former && described(former), described(one)];
  });
  const order = (fields: readonly FieldState<Field>[], others: readonly FieldState<Field>[]) => {
    const numbers = new Set(activeOf(others).map(({ number }) => number));
    return activeOf(fields)
      .filter(({ number }) => numbers.has(number))
      .map(({ number }) => number);
  };
  const isMoved = String(order(before, after)) !== String(order(after, before));
  const names = (fields: readonly FieldState<Field>[]) =>
    activeOf(fields).map(({ field }) => field.name);
  return isMoved ? [...changes, [part, names(before), names(after)]] : changes;
}

function described<Field extends { readonly name: string; readonly label: string }>({
  field,
  retiredAt,
}: FieldState<Field>) {
  return { ...field, retiredAt: isoTime(retiredAt) };
}

/** What a definition was before an entry of its history. */
type FormerDefinition =
  | { readonly kind: 'content'; readonly wanted: RequestedDefinition }
  /** the entry retired it as a whole, or restored it */
  | { readonly kind: 'retirement'; readonly wasRetired: boolean };

/**
 * What a definition was before an entry of its history, so that it becomes that again.
 * @throws {ApiError} 404 of an unknown entry; 409 if there was no definition before
 */
export async function definitionBefore(
  db: Transaction,
  definition: StoredDefinition,
  historyId: number,
): Promise<FormerDefinition> {
  const entries = await entriesOf(db, definition);
  const entry = entries.find(({ id }) => id === historyId);
  if (!entry) throw new ApiError('not_found', texts.noEntry);
  const { before } = statesOf(definition, entry);
  if (!before) throw new ApiError('conflict', texts.nothingBefore);
  const retirement = entry.changes.find(({ name }) => name === 'retiredAt');
  if (retirement) return { kind: 'retirement', wasRetired: retirement.before !== null };
  const { state } = definition;
  const { fields, retired } = wantedFields(before.fields, state.fields, (number) =>
    retirementWith(
      number,
      entries.toReversed().flatMap((one) => statesOf(definition, one).after ?? []),
    ),
  );
  const wanted: RequestedDefinition = {
    guid: null,
    name: before.name,
    label: before.label,
    description: before.description,
    uniqueTogether: before.uniqueTogether,
    checks: before.checks,
    checksOff: before.checksOff,
    fields,
    keywordFields: wantedFields(before.keywordFields, state.keywordFields, () => null).fields,
    ...(retired.length > 0 && { retiredBefore: retired }),
  };
  return { kind: 'content', wanted };
}

/**
 * When the field was retired whose values another one got by a conversion; null: it was not retired then.
 * @param number of the field with the converted values
 * @param states of the definition, oldest first
 */
function retirementWith(number: number, states: readonly DefinitionState[]): number | null {
  const first = states.find(({ fields }) => fields.some((field) => field.number === number));
  const from = first?.fields.find((field) => field.number === number)?.conversion?.from;
  return first?.fields.find((field) => field.number === from)?.retiredAt ?? null;
}

/**
 * The former fields, named so that present ones are recognised.
 * @param retirementOf `retirementWith`
 */
function wantedFields<Field extends { readonly name: string }>(
  before: readonly FieldState<Field>[],
  now: readonly FieldState<Field>[],
  retirementOf: (number: number) => number | null,
): {
  readonly fields: RequestedField<Field>[];
  readonly retired: NonNullable<RequestedDefinition['retiredBefore']>;
} {
  const sources = new Set<number>();
  /** the former fields that are still there */
  const found = new Set<number>();
  /** the retired fields that are shown by themselves again: a revert had given their values to another one */
  const kept = new Set<number>();
  const fields = before.flatMap((former) => {
    const { field, retiredAt, isSuperseded, number } = former;
    if (isSuperseded) return [];
    const { source, originalNumber } = sourceOf(former, before, now, retirementOf);
    if (retiredAt !== null && !source) return [];
    // The active fields are the first ones.
    if (retiredAt !== null && originalNumber === number && source && sources.has(source.number)) {
      kept.add(number);
      return [];
    }
    if (source) {
      sources.add(source.number);
      found.add(number);
    }
    if (originalNumber !== undefined) sources.add(originalNumber);
    const renamedFrom = source && source.field.name !== field.name ? source.field.name : null;
    const readAs = source ? readingOf(source, now) : null;
    const wanted = { field, renamedFrom, readAs, isRetired: retiredAt !== null };
    return [originalNumber === undefined ? wanted : { ...wanted, originalNumber }];
  });
  const retired = before.flatMap((former) => {
    const { number, retiredAt, isSuperseded } = former;
    if (kept.has(number)) return [{ number, isSuperseded: false }];
    const same = now.find((stored) => stored.number === number);
    // Another field shows its values again, unless that was purged, or somebody has restored this one since.
    const shown = isSuperseded ? successorOf(before, former) : undefined;
    const isHidden = same?.isSuperseded === false && same.retiredAt === retiredAt;
    return isHidden && shown && found.has(shown.number) ? [{ number, isSuperseded: true }] : [];
  });
  // Fields that came later give the names back that they have taken.
  const others = now.filter(({ number, isSuperseded }) => !sources.has(number) && !isSuperseded);
  const left = others.flatMap(({ field }) => {
    if (!fields.some((stored) => isSameName(stored.field.name, field.name))) return [];
    const name = nameBefore(field.name, before, now);
    return [{ field: { ...field, name }, renamedFrom: field.name, readAs: null, isRetired: true }];
  });
  return { fields: [...fields, ...left], retired };
}

/** The present field that a former one has become. */
interface Source<Field> {
  readonly source: FieldState<Field> | undefined;
  /** the number of the former field if its values are still what they were when they were converted */
  readonly originalNumber?: number;
}

/** How the texts were read that a revert brought back: those entered beside them since have the same form. */
function readingOf<Field>(
  { conversion }: FieldState<Field>,
  fields: readonly FieldState<Field>[],
): string | null {
  if (conversion?.original === undefined) return null;
  const conversionOf = (wanted: number) =>
    fields.find(({ number }) => number === wanted)?.conversion;
  for (let step = conversionOf(conversion.from); step; step = conversionOf(step.from)) {
    if (step.from === conversion.original) return step.readAs;
  }
  return null;
}

function sourceOf<Field extends { readonly name: string }>(
  { number, retiredAt }: FieldState<Field>,
  before: readonly FieldState<Field>[],
  now: readonly FieldState<Field>[],
  retirementOf: (number: number) => number | null,
): Source<Field> {
  const same = now.find((candidate) => candidate.number === number);
  if (same?.isSuperseded) return { source: successorOf(now, same), originalNumber: number };
  if (retiredAt !== null || same?.retiredAt === null) return { source: same };
  // If its values were converted, those that could not be converted were kept in it, until it was purged.
  const later = now.filter(
    ({ number: other }) => !before.some((stored) => stored.number === other),
  );
  const converted = latest(later.filter(({ conversion }) => conversion?.from === number));
  const source = converted && successorOf(now, converted);
  if (!source || source.retiredAt !== null) return { source: same };
  const isUntouched = same && retirementOf(converted.number) === same.retiredAt;
  return isUntouched ? { source, originalNumber: number } : { source };
}
