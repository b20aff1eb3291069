import {
  definedChecks,
  type CheckDefinition,
  type DefinedChecks,
} from '#shared/rules/check-definitions.ts';
import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import type {
  ArchiveDefinition,
  Column,
  IndexField,
  KeywordField,
  TableDefinition,
} from '#shared/rules/definitions.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Collection, Conversion } from '#server/database/records/collection.ts';
import type { StoredField } from '#server/database/records/columns.ts';

/** An index field or a column. */
export type AnyField = IndexField & Partial<Pick<Column, 'default' | 'unique'>>;

/** Numbers of fields begin with 1. */
export const FIRST = 0;

/** A field with its identity, which is independent of its name: the number of its database column. */
export interface FieldState<Field> {
  readonly field: Field;
  readonly number: number;
  /** its name in entries of the history, never reused for another field of the archive or table */
  readonly historyName: string;
  /** milliseconds since 1970 UTC; null: it is active */
  readonly retiredAt: number | null;
  /**
   * the number of the field that it stood after when it was retired, `FIRST` if it was the first; null: it is active, or
   * was retired by an older version of Indexdesk
   */
  readonly stoodAfter: number | null;
  readonly conversion: Conversion | null;
  /** whether its values were converted into another field without loss: it is never shown again */
  readonly isSuperseded: boolean;
}

/** The definition of an archive or table with its retired fields, the same for both kinds. */
export interface DefinitionState {
  readonly kind: Collection['kind'];
  readonly guid: string;
  /** `table` of an archive, `name` of a table */
  readonly name: string;
  /** `name` of an archive, `label` of a table */
  readonly label: string;
  readonly description: string;
  /** the columns whose values are unique together; of tables alone */
  readonly uniqueTogether: readonly (readonly string[])[];
  readonly checks: readonly CheckDefinition[];
  /** the built-in checks that are turned off */
  readonly checksOff: readonly BuiltInCheck[];
  /** active ones in their order, then retired ones */
  readonly fields: readonly FieldState<AnyField>[];
  readonly keywordFields: readonly FieldState<KeywordField>[];
  /** of the next field; numbers are never reused */
  readonly nextNumber: number;
  /** 1 when it is created, increased by one with each change */
  readonly version: number;
}

/** The state of a field that was not changed yet. */
export function newFieldState<Field extends { readonly name: string }>(
  field: Field,
  number: number,
  {
    historyName = field.name,
    conversion = null,
  }: {
    readonly historyName?: string | undefined;
    readonly conversion?: Conversion | null | undefined;
  } = {},
): FieldState<Field> {
  return {
    field,
    number,
    historyName,
    retiredAt: null,
    stoodAfter: null,
    conversion,
    isSuperseded: false,
  };
}

/** The state of a new definition. */
export function stateOfNew(
  kind: Collection['kind'],
  {
    guid,
    name,
    label,
    description,
    uniqueTogether,
    checks = [],
    checksOff = [],
    fields,
    keywordFields,
  }: Pick<DefinitionState, 'guid' | 'name' | 'label' | 'description' | 'uniqueTogether'> &
    DefinedChecks & {
      readonly fields: readonly AnyField[];
      readonly keywordFields: readonly KeywordField[];
    },
): DefinitionState {
  return {
    kind,
    guid,
    name,
    label,
    description,
    uniqueTogether,
    checks,
    checksOff,
    fields: fields.map((field, i) => newFieldState(field, i + 1)),
    keywordFields: keywordFields.map((field, i) => newFieldState(field, fields.length + i + 1)),
    nextNumber: fields.length + keywordFields.length + 1,
    version: 1,
  };
}

/** The state of a new archive. */
export function stateOfArchive(definition: ArchiveDefinition): DefinitionState {
  return stateOfNew('archive', {
    ...definition,
    name: definition.table,
    label: definition.name,
    fields: definition.indexFields,
    uniqueTogether: [],
  });
}

/** The state of a new table. */
export function stateOfTable(definition: TableDefinition): DefinitionState {
  return stateOfNew('table', {
    ...definition,
    fields: definition.columns,
    keywordFields: [],
    uniqueTogether: definition.uniqueTogether ?? [],
  });
}

/** The fields that are not retired, in their order. */
export function activeOf<Field>(fields: readonly FieldState<Field>[]): FieldState<Field>[] {
  return fields.filter(({ retiredAt }) => retiredAt === null);
}

/** The columns of the fields, retired ones included. */
export function storedFieldsOf({ fields }: Pick<DefinitionState, 'fields'>): StoredField[] {
  return fields.map(({ number, field: { type } }) => ({ number, type }));
}

/** What a field was before a change of its definition; of one with converted values that from which they were converted. */
export function formerOf<Field>(
  before: readonly FieldState<Field>[],
  { number, conversion }: FieldState<Field>,
): FieldState<Field> | undefined {
  return (
    before.find((stored) => stored.number === number) ??
    before.find((stored) => stored.number === conversion?.from)
  );
}

/** The field that shows the values of another one, which is another field if they were converted without loss. */
export function successorOf<Field>(
  fields: readonly FieldState<Field>[],
  stored: FieldState<Field>,
): FieldState<Field> | undefined {
  if (!stored.isSuperseded) return stored;
  const next = convertedFrom(fields, stored);
  return next && successorOf(fields, next);
}

/** The last field that got the values of another one. */
export function convertedFrom<Field>(
  fields: readonly FieldState<Field>[],
  { number }: FieldState<Field>,
): FieldState<Field> | undefined {
  return latest(
    fields.filter(
      ({ conversion }) => conversion?.from === number || conversion?.original === number,
    ),
  );
}

/** The field that was added last. */
export function latest<Field>(fields: readonly FieldState<Field>[]): FieldState<Field> | undefined {
  return fields.toSorted((one, other) => one.number - other.number).at(-1);
}

export function archiveDefinitionOf(state: DefinitionState): ArchiveDefinition {
  return {
    guid: state.guid,
    table: state.name,
    name: state.label,
    description: state.description,
    indexFields: activeOf(state.fields).map(({ field }) => field),
    keywordFields: activeOf(state.keywordFields).map(({ field }) => field),
    ...definedChecks(state),
  };
}

export function tableDefinitionOf(state: DefinitionState): TableDefinition {
  return {
    guid: state.guid,
    name: state.name,
    label: state.label,
    description: state.description,
    columns: activeOf(state.fields).map(({ field }) => toColumn(field)),
    ...(state.uniqueTogether.length > 0 && { uniqueTogether: state.uniqueTogether }),
    ...definedChecks(state),
  };
}

/** A field of a table's definition as its column. */
export function toColumn(field: AnyField): Column {
  return { ...field, default: field.default ?? null, unique: field.unique ?? false };
}

/** A field that is added to a definition: its name in the history was never used for another one. */
export function addedFieldState<Field extends { readonly name: string }>(
  { fields, keywordFields }: DefinitionState,
  field: Field,
  number: number,
  conversion: Conversion | null = null,
): FieldState<Field> {
  const { name } = field;
  const isTaken = [...fields, ...keywordFields].some(
    ({ historyName }) => nameKey(historyName) === nameKey(name),
  );
  const historyName = isTaken ? `${name}#${number}` : name;
  return newFieldState(field, number, { historyName, conversion });
}
