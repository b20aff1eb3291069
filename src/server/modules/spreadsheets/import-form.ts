import * as texts from '#messages/service/spreadsheets.ts';
import * as z from 'zod';
import { DESCRIBED_FILE, type FormBody } from '#server/http/form.ts';
import { requireValidBody } from '#server/http/body-validation.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  type ImportColumn,
  importColumnSchema,
  IMPORT_MODES,
  type ImportMode,
} from '#shared/contract/imports.ts';
import { JsonSyntaxError, parseJson } from '#shared/values/json.ts';
import { MAX_SHEET_COLUMNS } from '#shared/rules/limits.ts';
import { findByName } from '#shared/rules/names.ts';
import type { ImportedFile } from './below-headers.ts';
import { isEncoding, SEPARATOR } from '#shared/rules/csv-format.ts';
import { fileOfForm } from './sheet-form.ts';

/** The form of an import: the file, and the meaning of its columns if the user has chosen it. */
export interface ImportForm {
  readonly file: ImportedFile;
  readonly columns: readonly ImportColumn[] | null;
  /** defaults to `both` (data tables) or `change` (archives) */
  readonly mode: ImportMode;
  /** for data tables only: `jrid` or the name of a unique column that identifies datasets; null: not given */
  readonly key: string | null;
}

const FORMAT_FIELDS = ['separator', 'encoding', 'header'] as const;
const FORM_FIELDS = {
  archive: ['columns', 'mode', ...FORMAT_FIELDS],
  table: ['columns', 'mode', 'key', ...FORMAT_FIELDS],
} as const;
const MODES: Readonly<Record<Collection['kind'], readonly ImportMode[]>> = {
  archive: ['create', 'change'],
  table: IMPORT_MODES,
};
/** of an import without a mode */
const DEFAULT_MODE = { archive: 'change', table: 'both' } as const;

/** The form of an import for OpenAPI. */
export function describedImportForm(kind: Collection['kind']) {
  const columns = {
    type: 'string',
    contentMediaType: 'application/json',
    description:
      'a list, of each column `{"as": "id"}`, `version`, `line`, `nothing`, `field` with `field`, `decimal` and `order`, or ' +
      '`keyword` with `keyword`',
  };
  const format = {
    mode: { type: 'string', enum: [...MODES[kind]] },
    separator: { type: 'string', description: 'between the cells of a line: one character' },
    encoding: { type: 'string', description: 'such as utf-8 or windows-1252' },
    header: {
      type: 'string',
      pattern: '^[0-9]{1,4}$',
      description: 'the line of the headers; 0: none; by default the first line',
    },
  };
  const ofTables = {
    key: { type: 'string', description: 'jrid, or the name of a unique column' },
  };
  return {
    type: 'object',
    properties: {
      'files[0]': DESCRIBED_FILE,
      columns,
      ...format,
      ...(kind === 'table' ? ofTables : {}),
    },
    required: ['files[0]'],
    additionalProperties: false,
  };
}

/**
 * Reads the form of an import: one file under `files` or `files[0]`, `columns` as JSON, and of a data table
 * `mode` and `key`.
 * @throws {ApiError} 422 naming what is wrong
 */
export async function readImportForm(collection: Collection, form: FormBody): Promise<ImportForm> {
  const errors: MessagesByPath = {};
  const file = fileOfForm(form, FORM_FIELDS[collection.kind], texts, errors);
  const field = (name: string) => form.fields.findLast(([given]) => given === name)?.[1];
  const modes = MODES[collection.kind];
  const mode = modes.find((known) => known === (field('mode') ?? DEFAULT_MODE[collection.kind]));
  if (!mode) errors['mode'] = [texts.modeUnknown({ modes })];
  const format = readFormat(field, errors);
  if (!file || !mode || Object.keys(errors).length > 0)
    throw new ApiError('validation_failed', errors);
  const given = field('columns');
  const columns = given === undefined ? null : await readColumns(collection, given);
  const { path, name } = file;
  return { file: { path, name, ...format }, columns, mode, key: field('key') ?? null };
}

/** The format of the file, if set by the user. */
function readFormat(field: (name: string) => string | undefined, errors: MessagesByPath) {
  const separator = field('separator') || undefined;
  const encoding = field('encoding') || undefined;
  const header = field('header') || undefined;
  if (separator !== undefined && !SEPARATOR.test(separator))
    errors['separator'] = [texts.separatorInvalid];
  if (encoding !== undefined && !isEncoding(encoding)) errors['encoding'] = [texts.encodingInvalid];
  if (header !== undefined && !/^[0-9]{1,4}$/.test(header)) errors['header'] = [texts.notALine];
  return { separator, encoding, header: header === undefined ? null : Number(header) };
}

async function readColumns(collection: Collection, text: string): Promise<ImportColumn[]> {
  const columns = await requireValidBody(
    z.array(importColumnSchema).max(MAX_SHEET_COLUMNS),
    parsed(text),
  );
  const errors: MessagesByPath = {};
  const seen = new Set<string>();
  const known = columns.map((column, i) => {
    if (column.as === 'nothing') return column;
    const field = column.as === 'field' ? findByName(collection.fields, column.field) : undefined;
    const keyword =
      column.as === 'keyword' ? findByName(collection.keywordFields, column.keyword) : undefined;
    const key = JSON.stringify([column.as, (field ?? keyword)?.name]);
    if (column.as === 'field' && !field)
      errors[`columns.${i}`] = [texts.noField({ name: column.field.slice(0, 100) })];
    else if (column.as === 'keyword' && !keyword)
      errors[`columns.${i}`] = [texts.noKeywordField({ name: column.keyword.slice(0, 100) })];
    else if (seen.has(key)) errors[`columns.${i}`] = [texts.mappedTwice];
    seen.add(key);
    if (keyword && column.as === 'keyword') return { ...column, keyword: keyword.name };
    return field && column.as === 'field' ? { ...column, field: field.name } : column;
  });
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return known;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError('validation_failed', { columns: [texts.columnsNotJson] });
    throw error;
  }
}
