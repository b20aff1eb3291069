import { NO_LIMITS } from '#shared/rules/limits.ts';
import { listColumns } from '#shared/rules/lists.ts';
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
import type {
  Archive,
  Collection,
  Conversion,
  ConversionStep,
  SupersededField,
  Table,
} from '#server/database/records/collection.ts';

/** The time zone of the machine, which applies if no time zone is set. */
export const LOCAL_TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

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

/** A field that is no longer part of the definition; its values stay. */
interface StoredRetired<Field> {
  readonly field: Field;
  readonly number: number;
  readonly retiredAt: number;
  /** missing if it is not known */
  readonly stoodAfter?: number;
  readonly isSuperseded?: true;
}

/**
 * The stored JSON of a definition. Installations from before the administration of definitions have only the first four
 * keys.
 */
interface Stored<Definition> {
  readonly definition: Definition;
  readonly fieldNumbers: readonly number[];
  readonly keywordNumbers: readonly number[];
  readonly nextNumber: number;
  readonly version?: number;
  readonly retiredFields?: readonly StoredRetired<AnyField>[];
  readonly retiredKeywordFields?: readonly StoredRetired<KeywordField>[];
  /** the names in the history of fields that have another name now, by their numbers */
  readonly historyNames?: Readonly<Record<string, string>>;
  /** the fields that were converted from others, by their numbers */
  readonly conversions?: Readonly<Record<string, Conversion>>;
}

type StoredJson = Stored<ArchiveDefinition> | Stored<TableDefinition>;

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

/** Parses the JSON of `toStored`, or of an older version of Indexdesk. */
export function parseDefinitionState(kind: Collection['kind'], json: string): DefinitionState {
  const stored: StoredJson = JSON.parse(json);
  const { definition, historyNames = {}, conversions = {} } = stored;
  const identify = <Field extends { readonly name: string }>(
    field: Field,
    number: number,
    retirement: Partial<StoredRetired<Field>> = {},
  ) => ({
    ...newFieldState(field, number, {
      historyName: historyNames[number],
      conversion: conversions[number],
    }),
    retiredAt: retirement.retiredAt ?? null,
    stoodAfter: retirement.stoodAfter ?? null,
    isSuperseded: retirement.isSuperseded ?? false,
  });
  const active = <Field extends { readonly name: string }>(
    fields: readonly Field[],
    numbers: readonly number[],
  ) => fields.map((field, i) => identify(field, numbers[i] ?? 0));
  const retired = <Field extends { readonly name: string }>(
    fields: readonly StoredRetired<Field>[] = [],
  ) => fields.map((stored) => identify(stored.field, stored.number, stored));
  const isArchive = 'indexFields' in definition;
  return {
    kind,
    guid: definition.guid,
    name: isArchive ? definition.table : definition.name,
    label: isArchive ? definition.name : definition.label,
    description: definition.description,
    uniqueTogether: isArchive ? [] : (definition.uniqueTogether ?? []),
    checks: definition.checks ?? [],
    checksOff: definition.checksOff ?? [],
    fields: [
      ...active<AnyField>(
        isArchive ? definition.indexFields : definition.columns,
        stored.fieldNumbers,
      ),
      ...retired(stored.retiredFields),
    ],
    keywordFields: [
      ...active(isArchive ? definition.keywordFields : [], stored.keywordNumbers),
      ...retired(stored.retiredKeywordFields),
    ],
    nextNumber: stored.nextNumber,
    version: stored.version ?? 1,
  };
}

export function toStored(state: DefinitionState): StoredJson {
  const { fields, keywordFields } = state;
  const all = [...fields, ...keywordFields];
  const renamed = all.filter(({ field, historyName }) => field.name !== historyName);
  const converted = all.flatMap(({ number, conversion }) =>
    conversion ? [[number, conversion] as const] : [],
  );
  const retiredFields = fields.flatMap(toRetired);
  const retiredKeywordFields = keywordFields.flatMap(toRetired);
  return {
    ...(state.kind === 'archive'
      ? { definition: archiveDefinitionOf(state) }
      : { definition: tableDefinitionOf(state) }),
    fieldNumbers: activeOf(fields).map(({ number }) => number),
    keywordNumbers: activeOf(keywordFields).map(({ number }) => number),
    nextNumber: state.nextNumber,
    ...(state.version > 1 && { version: state.version }),
    ...(retiredFields.length > 0 && { retiredFields }),
    ...(retiredKeywordFields.length > 0 && { retiredKeywordFields }),
    ...(renamed.length > 0 && {
      historyNames: Object.fromEntries(
        renamed.map((stored) => [stored.number, stored.historyName]),
      ),
    }),
    ...(converted.length > 0 && { conversions: Object.fromEntries(converted) }),
  };
}

function toRetired<Field>({
  field,
  number,
  retiredAt,
  stoodAfter,
  isSuperseded,
}: FieldState<Field>): StoredRetired<Field>[] {
  if (retiredAt === null) return [];
  return [
    {
      field,
      number,
      retiredAt,
      ...(stoodAfter !== null && { stoodAfter }),
      ...(isSuperseded && ({ isSuperseded } as const)),
    },
  ];
}

/** The fields that are not retired, in their order. */
export function activeOf<Field>(fields: readonly FieldState<Field>[]): FieldState<Field>[] {
  return fields.filter(({ retiredAt }) => retiredAt === null);
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
function convertedFrom<Field>(
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

function toColumn(field: AnyField): Column {
  return { ...field, default: field.default ?? null, unique: field.unique ?? false };
}

/**
 * The archive or table as the service uses it, without its checks, which depend on other tables (`withChecks`).
 * @param fields `active`: as users see it; `all`: with its retired fields among the others, as their values are stored,
 * copied and verified with the rest
 */
export function toCollection(
  id: number,
  state: DefinitionState,
  retiredAt: number | null,
  fields: 'active' | 'all' = 'active',
): Archive | Table {
  const whole: DefinitionState =
    fields === 'active'
      ? state
      : {
          ...state,
          fields: state.fields.map((stored) => ({ ...stored, retiredAt: null })),
          keywordFields: state.keywordFields.map((stored) => ({ ...stored, retiredAt: null })),
        };
  const common = {
    id,
    guid: state.guid,
    name: state.name,
    version: state.version,
    retiredAt,
    checks: [],
    timeZone: LOCAL_TIME_ZONE,
    limits: NO_LIMITS,
    restriction: null,
  };
  const toIdentified = identifierOf(whole);
  const active = activeOf(whole.fields);
  if (state.kind === 'archive') {
    const definition = archiveDefinitionOf(whole);
    return {
      kind: 'archive',
      ...common,
      definition,
      fields: active.map((stored) => toIdentified(stored)),
      keywordFields: activeOf(whole.keywordFields).map((stored) => toIdentified(stored)),
      listColumns: listColumns('revisionId', definition.indexFields, definition.keywordFields),
    };
  }
  const definition = tableDefinitionOf(whole);
  return {
    kind: 'table',
    ...common,
    definition,
    fields: active.map((stored) => ({ ...toIdentified(stored), ...toColumn(stored.field) })),
    keywordFields: [],
    listColumns: listColumns('jrid', definition.columns, []),
  };
}

function identifierOf(state: DefinitionState) {
  const supersededBy = supersededFieldsOf(state.fields);
  return <Field>({ field, number, historyName, conversion }: FieldState<Field>) => {
    const formerNumbers = formerNumbersOf(state.fields, conversion);
    const superseded = supersededBy(number);
    return { ...field, number, historyName, conversion, formerNumbers, superseded };
  };
}

/** The numbers of the fields from which one was converted, latest first, also of those that purges have removed. */
export function formerNumbersOf(
  fields: readonly FieldState<AnyField>[],
  conversion: Conversion | null,
): number[] {
  if (!conversion) return [];
  const from = fields.find(({ number }) => number === conversion.from);
  const earlier = from ? formerNumbersOf(fields, from.conversion) : conversion.formerOfPurged;
  return [conversion.from, ...(earlier ?? [])];
}

/** The superseded fields of each shown one, by its number. */
function supersededFieldsOf(
  fields: readonly FieldState<AnyField>[],
): (number: number) => readonly SupersededField[] {
  const all = new Map<number, SupersededField[]>();
  for (const stored of fields) {
    const steps: ConversionStep[] = [];
    let shown: FieldState<AnyField> | undefined = stored;
    while (shown?.isSuperseded) {
      const { number } = shown;
      shown = convertedFrom(fields, shown);
      if (!shown?.conversion) break;
      const { readAs, scale, original } = shown.conversion;
      if (original !== number) steps.push({ type: shown.field.type, readAs, scale });
    }
    if (!shown || shown === stored) continue;
    const superseded = { number: stored.number, historyName: stored.historyName, steps };
    all.set(shown.number, [...(all.get(shown.number) ?? []), superseded]);
  }
  return (number) => all.get(number) ?? NONE_SUPERSEDED;
}

const NONE_SUPERSEDED: readonly SupersededField[] = [];

/** A name in the history that was never used for a field. */
export function newHistoryName(
  states: readonly FieldState<unknown>[],
  name: string,
  number: number,
): string {
  const isTaken = states.some(({ historyName }) => nameKey(historyName) === nameKey(name));
  return isTaken ? `${name}#${number}` : name;
}
