import * as texts from '#messages/designer.ts';
import type { FieldLayout } from '#shared/rules/definitions.ts';
import { hasRule, isBoolean, isNumber, type ValueType } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import type { TypeRule, Scalar } from '#shared/values/value-type.ts';
import {
  checkBody,
  type CheckFormValues,
  combinationsIn,
  linesOfCombinations,
  toCheckValues,
} from './check-form.ts';
import type { CollectionDefinition, FieldDefinition } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';

/** The form values of a field: typed text. */
export interface DesignedField {
  /** the field's name at the service; null: a new field */
  readonly savedName: string | null;
  readonly savedType: ValueType | null;
  readonly isKeywordField: boolean;
  readonly retiredAt: string | null;
  readonly name: string;
  /** the name of the field in rules of checks and in `fills`: `name`, once it is typed and no other field has it */
  readonly nameInRules: string;
  readonly label: string;
  readonly description: string;
  readonly type: ValueType;
  readonly readAs: string;
  readonly required: boolean;
  readonly unique: boolean;
  readonly maxLength: string;
  readonly scale: string;
  readonly min: string;
  readonly max: string;
  readonly pattern: string;
  readonly patternDescription: string;
  /** one per line */
  readonly options: string;
  /** a GUID; '': the options above apply */
  readonly optionsTable: string;
  readonly optionsColumn: string;
  /** one `FIELD = COLUMN` per line */
  readonly fills: string;
  readonly default: string;
  readonly group: string;
  readonly isHalfWidth: boolean;
  readonly isHiddenInLists: boolean;
  /** '': not part of the default sorting */
  readonly listSort: '' | 'ascending' | 'descending';
  readonly onPage: boolean;
}

/** The values of the whole form. */
export interface DefinitionValues extends CheckFormValues {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly DesignedField[];
  /** columns of a table whose values are unique together: their names, one combination per line */
  readonly uniqueTogether: string;
}

/** The values of a new field. */
export function newFieldValues(
  name: string,
  label: string,
  isKeywordField: boolean,
): DesignedField {
  return {
    savedName: null,
    savedType: null,
    isKeywordField,
    retiredAt: null,
    name,
    nameInRules: name,
    label,
    description: '',
    type: 'text',
    readAs: '',
    required: false,
    unique: false,
    maxLength: '',
    scale: '',
    min: '',
    max: '',
    pattern: '',
    patternDescription: '',
    options: '',
    optionsTable: '',
    optionsColumn: '',
    fills: '',
    default: '',
    group: '',
    isHalfWidth: false,
    isHiddenInLists: false,
    listSort: '',
    onPage: false,
  };
}

/** The values of a new archive or table. */
export function emptyValues(): DefinitionValues {
  const first = newFieldValues(texts.newField(1), texts.newFieldLabel(1), false);
  return {
    name: '',
    label: '',
    description: '',
    fields: [first],
    uniqueTogether: '',
    checks: [],
    checksOff: [],
  };
}

export function toValues(definition: CollectionDefinition): DefinitionValues {
  const { name, label, description } = definition;
  return {
    name,
    label,
    description,
    fields: [
      ...definition.fields.map(toFieldValues),
      ...definition.keywordFields.map((field) => ({
        ...newFieldValues(field.name, field.label, true),
        savedName: field.name,
        retiredAt: field.retiredAt,
      })),
    ],
    uniqueTogether: linesOfCombinations(definition.uniqueTogether),
    checks: definition.checks.map(toCheckValues),
    checksOff: definition.checksOff,
  };
}

function toFieldValues(field: FieldDefinition): DesignedField {
  const { name, label, description, type, required, unique, retiredAt, optionsFrom } = field;
  return {
    ...newFieldValues(name, label, false),
    savedName: name,
    savedType: type,
    retiredAt,
    description,
    type,
    required,
    unique,
    maxLength: textOf(field.maxLength),
    scale: textOf(field.scale),
    min: textOf(field.min),
    max: textOf(field.max),
    pattern: field.pattern ?? '',
    patternDescription: field.patternDescription ?? '',
    options: (field.options ?? []).map(textOf).join('\n'),
    optionsTable: optionsFrom?.table ?? '',
    optionsColumn: optionsFrom?.column ?? '',
    fills: Object.entries(optionsFrom?.fills ?? {})
      .map(([own, column]) => `${own} = ${column}`)
      .join('\n'),
    default: textOf(field.default),
    group: field.group ?? '',
    isHalfWidth: field.width === 'half',
    isHiddenInLists: field.hiddenInLists === true,
    listSort: field.listSort ?? '',
    onPage: field.onPage === true,
  };
}

/** The request body of a definition. */
export function toBody(
  kind: CollectionKind,
  values: DefinitionValues,
  saved: CollectionDefinition | null,
) {
  const fields = values.fields.filter(({ isKeywordField }) => !isKeywordField);
  const description = values.description;
  const checks = { checks: values.checks.map(checkBody), checksOff: values.checksOff };
  const guid = saved ? { guid: saved.guid } : {};
  if (kind === 'table') {
    const { name, label } = values;
    const together = combinationsIn(values.uniqueTogether);
    const uniqueTogether = together.length > 0 ? { uniqueTogether: together } : {};
    const columns = fields.map((field) => fieldBody(field, kind));
    return { table: { ...guid, name, label, description, columns, ...uniqueTogether, ...checks } };
  }
  return {
    archive: {
      ...guid,
      table: values.name,
      name: values.label,
      description,
      indexFields: fields.map((field) => fieldBody(field, kind)),
      keywordFields: values.fields
        .filter(({ isKeywordField }) => isKeywordField)
        .map((field) => ({ name: field.name, label: field.label, ...changeOf(field) })),
      ...checks,
    },
  };
}

export type DefinitionBody = ReturnType<typeof toBody>;

function fieldBody(field: DesignedField, kind: CollectionKind) {
  const { name, label, description, type, required, patternDescription } = field;
  const rule = (of: TypeRule, text: string) => hasRule(type, of) && text.trim() !== '';
  return {
    name,
    label,
    description,
    type,
    required,
    ...(rule('maxLength', field.maxLength)
      ? { maxLength: scalarOf('integer', field.maxLength) }
      : {}),
    ...(rule('scale', field.scale) ? { scale: scalarOf('integer', field.scale) } : {}),
    ...(rule('min', field.min) ? { min: scalarOf(type, field.min) } : {}),
    ...(rule('max', field.max) ? { max: scalarOf(type, field.max) } : {}),
    ...(rule('pattern', field.pattern) ? { pattern: field.pattern } : {}),
    ...(rule('pattern', field.pattern) && patternDescription !== '' ? { patternDescription } : {}),
    ...optionsOf(field),
    ...layoutOfValues(field),
    ...(kind === 'table'
      ? { unique: field.unique, default: defaultOf(field) }
      : { onPage: field.onPage && !isBoolean(field) }),
    ...(field.savedType !== null && field.savedType !== type && field.readAs.trim() !== ''
      ? { readAs: field.readAs.trim() }
      : {}),
    ...changeOf(field),
  };
}

function changeOf({ savedName, name, retiredAt }: DesignedField) {
  return {
    ...(savedName !== null && savedName !== name ? { renamedFrom: savedName } : {}),
    ...(retiredAt === null ? {} : { retiredAt }),
  };
}

function optionsOf({ type, options, optionsTable, optionsColumn, fills }: DesignedField) {
  if (optionsTable !== '') {
    const pairs = linesOf(fills).map((line) => line.split('=').map((part) => part.trim()));
    const filled = pairs.map(([own = '', column = '']) => [own, column]);
    return {
      optionsFrom: {
        table: optionsTable,
        column: optionsColumn,
        fills: Object.fromEntries(filled),
      },
    };
  }
  const lines = linesOf(options);
  return lines.length === 0 ? {} : { options: lines.map((line) => scalarOf(type, line)) };
}

function defaultOf({ type, default: text }: DesignedField): Scalar {
  return text === '' ? null : scalarOf(type, text);
}

/** A typed text as the JSON value of the type; an invalid text is sent unchanged, and the service reports it. */
function scalarOf(type: ValueType, text: string): Scalar {
  const trimmed = text.trim();
  if (isNumber({ type }) && Number.isFinite(Number(trimmed))) return Number(trimmed);
  if (isBoolean({ type }) && /^(?:true|false)$/.test(trimmed)) return trimmed === 'true';
  return text;
}

/** The layout of a field in forms and lists. */
export function layoutOfValues(field: DesignedField): FieldLayout {
  const group = field.group.trim();
  return {
    ...(group === '' ? {} : { group }),
    ...(field.isHalfWidth ? { width: 'half' } : {}),
    ...(field.isHiddenInLists ? { hiddenInLists: true } : {}),
    ...(field.listSort === '' ? {} : { listSort: field.listSort }),
  };
}

/** The valid rules of a field, for the preview. */
export function rulesOf(field: DesignedField): ValueRules {
  const { type } = field;
  const whole = (of: TypeRule, text: string) =>
    hasRule(type, of) && /^\d+$/.test(text.trim()) ? Number(text) : null;
  const bound = (text: string) => {
    const value = text.trim() === '' ? null : scalarOf(type, text);
    return typeof value === 'boolean' ? null : value;
  };
  const options = linesOf(field.options).map((line) => scalarOf(type, line));
  return {
    type,
    required: field.required,
    maxLength: whole('maxLength', field.maxLength),
    scale: whole('scale', field.scale),
    min: hasRule(type, 'min') ? bound(field.min) : null,
    max: hasRule(type, 'max') ? bound(field.max) : null,
    pattern: hasRule(type, 'pattern') && field.pattern !== '' ? field.pattern : null,
    ...(field.patternDescription === '' ? {} : { patternDescription: field.patternDescription }),
    options: field.optionsTable === '' && options.length > 0 ? options : null,
  };
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function textOf(value: Scalar): string {
  return value === null ? '' : String(value);
}
