import type {
  ArchiveDefinition,
  KeywordField,
  TableDefinition,
} from '#shared/rules/definitions.ts';
import type { Collection, Conversion } from '#server/database/records/collection.ts';
import {
  type AnyField,
  type FieldState,
  type DefinitionState,
  newFieldState,
  activeOf,
  archiveDefinitionOf,
  tableDefinitionOf,
} from './definition-state.ts';

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
