import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { ALL_RECORDS } from '#server/database/records/list-reader.ts';
import type { DefinedArchive, DefinedTable } from '#shared/contract/configuration-definitions.ts';
import { layoutOf, type Column, type IndexField } from '#shared/rules/definitions.ts';
import { definedChecks } from '#shared/rules/check-definitions.ts';
import { countRecordsInWorker } from '../records/records.reads.ts';
import type { StoredDefinition } from './stored-definitions.ts';
import { FIRST, successorOf, type FieldState } from './definition-state.ts';
import { toCollection } from './definition-collection.ts';

/** The definition of an archive as administrators see it. */
export async function presentArchive(
  db: Transaction,
  definition: StoredDefinition,
): Promise<DefinedArchive> {
  const { state } = definition;
  return {
    guid: state.guid,
    table: state.name,
    name: state.label,
    description: state.description,
    indexFields: shown(state.fields).map((stored) => ({
      ...describeField(stored.field),
      ...retirementOf(stored),
      ...formerPlaceOf(stored, state.fields),
    })),
    keywordFields: shown(state.keywordFields).map((stored) => ({
      name: stored.field.name,
      label: stored.field.label,
      ...retirementOf(stored),
      ...formerPlaceOf(stored, state.keywordFields),
    })),
    ...definedChecks(state),
    documents: await countRecords(db, definition),
    ...retirementOf(definition),
    version: state.version,
  };
}

/** The definition of a table as administrators see it. */
export async function presentTable(
  db: Transaction,
  definition: StoredDefinition,
): Promise<DefinedTable> {
  const { state } = definition;
  return {
    guid: state.guid,
    name: state.name,
    label: state.label,
    description: state.description,
    columns: shown(state.fields).map((stored) => ({
      ...describeField(stored.field),
      default: stored.field.default ?? null,
      unique: stored.field.unique ?? false,
      ...retirementOf(stored),
      ...formerPlaceOf(stored, state.fields),
    })),
    ...(state.uniqueTogether.length > 0 && {
      uniqueTogether: state.uniqueTogether.map((names) => [...names]),
    }),
    ...definedChecks(state),
    datasets: await countRecords(db, definition),
    ...retirementOf(definition),
    version: state.version,
  };
}

function shown<Field>(fields: readonly FieldState<Field>[]): FieldState<Field>[] {
  return fields.filter(({ isSuperseded }) => !isSuperseded);
}

/** The documents or datasets of an archive or table, a retired one too. */
export function countRecords(
  db: Transaction,
  { id, state, retiredAt }: StoredDefinition,
): Promise<number> {
  return countRecordsInWorker(db, toCollection(id, state, retiredAt), ALL_RECORDS);
}

function retirementOf({ retiredAt }: Pick<FieldState<unknown>, 'retiredAt'>): {
  retiredAt: string | null;
} {
  return { retiredAt: isoTime(retiredAt) };
}

/** The name of the field that a retired one stood after, null if it was the first; without it if that is not known. */
function formerPlaceOf<Field extends { readonly name: string }>(
  { stoodAfter }: FieldState<Field>,
  fields: readonly FieldState<Field>[],
): { stoodAfter?: string | null } {
  if (stoodAfter === null) return {};
  if (stoodAfter === FIRST) return { stoodAfter: null };
  const stored = fields.find(({ number }) => number === stoodAfter);
  const found = stored && successorOf(fields, stored);
  return found ? { stoodAfter: found.field.name } : {};
}

/** The properties of an index field, or of a column without its default and uniqueness, in the form of the interface. */
export function describeField(field: IndexField | Column) {
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    required: field.required,
    maxLength: field.maxLength,
    scale: field.scale,
    options: field.options && [...field.options],
    min: field.min,
    max: field.max,
    pattern: field.pattern,
    ...(field.patternDescription === undefined
      ? {}
      : { patternDescription: field.patternDescription }),
    description: field.description,
    ...layoutOf(field),
    optionsFrom: field.optionsFrom && {
      ...field.optionsFrom,
      fills: { ...field.optionsFrom.fills },
    },
    ...(field.onPage && { onPage: field.onPage }),
  };
}
