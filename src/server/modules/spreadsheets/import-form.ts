import * as z from 'zod';
import { DESCRIBED_FILE, type FormBody, type StoredUpload } from '#server/http/form.ts';
import { requireShape } from '#server/http/shape.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError, type MessagesByPath } from '#shared/contract/errors.ts';
import {
  type ImportColumn,
  importColumnSchema,
  IMPORT_MODES,
  type ImportMode,
} from '#shared/contract/imports.ts';
import { JsonSyntaxError, parseJson } from '#shared/values/json.ts';
import { findByName } from '#shared/rules/names.ts';

/** The form of an import: the file, and the meaning of its columns if the user has chosen it. */
export interface ImportForm {
  readonly file: StoredUpload;
  readonly columns: readonly ImportColumn[] | null;
  /** for data tables only; default `both` */
  readonly mode: ImportMode;
  /** for data tables only: `jrid` or the name of a unique column that identifies datasets; null: not given */
  readonly key: string | null;
}

const FORM_FIELDS = { archive: ['columns'], table: ['columns', 'mode', 'key'] } as const;

/** The form of an import for OpenAPI. */
export function describedImportForm(kind: Collection['kind']) {
  const columns = {
    type: 'string',
    contentMediaType: 'application/json',
    description:
      'a list, of each column `{"as": "id"}`, `version`, `nothing`, or `field` with `field`, `decimal` and `order`',
  };
  const ofTables = {
    mode: { type: 'string', enum: [...IMPORT_MODES] },
    key: { type: 'string', description: 'jrid, or the name of a unique column' },
  };
  return {
    type: 'object',
    properties: { 'files[0]': DESCRIBED_FILE, columns, ...(kind === 'table' ? ofTables : {}) },
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
  const [file, ...others] = form.files;
  if (!file) errors['files.0'] = ['A file is needed.'];
  if (others.length > 0) errors['files.1'] = ['Only one file can be imported at once.'];
  const known: readonly string[] = FORM_FIELDS[collection.kind];
  const unknown = form.fields.filter(([name]) => !known.includes(name)).map(([name]) => name);
  if (unknown.length > 0) {
    errors['-'] = unknown.map(
      (name) => `There is no form field ${name.toWellFormed().slice(0, 100)}.`,
    );
  }
  const field = (name: string) => form.fields.findLast(([given]) => given === name)?.[1];
  const mode = IMPORT_MODES.find((one) => one === (field('mode') ?? 'both'));
  if (!mode) errors['mode'] = [`The mode must be one of: ${IMPORT_MODES.join(', ')}.`];
  if (!file || !mode || Object.keys(errors).length > 0)
    throw new ApiError('validation_failed', errors);
  const given = field('columns');
  const columns = given === undefined ? null : await readColumns(collection, given);
  return { file, columns, mode, key: field('key') ?? null };
}

async function readColumns(collection: Collection, text: string): Promise<ImportColumn[]> {
  const columns = await requireShape(z.array(importColumnSchema).max(1_000), parsed(text));
  const errors: MessagesByPath = {};
  const seen = new Set<string>();
  const known = columns.map((column, i) => {
    if (column.as === 'nothing') return column;
    const field = column.as === 'field' ? findByName(collection.fields, column.field) : undefined;
    const key = JSON.stringify([column.as, field?.name]);
    if (column.as === 'field' && !field)
      errors[`columns.${i}`] = [`There is no field ${column.field.slice(0, 100)}.`];
    else if (seen.has(key)) errors[`columns.${i}`] = ['Two columns stand for the same.'];
    seen.add(key);
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
      throw new ApiError('validation_failed', { columns: ['The form field columns is no JSON.'] });
    throw error;
  }
}
