import * as texts from '#messages/service/spreadsheets.ts';
import { requireValid } from '#server/http/query.ts';
import { formBody } from '#server/http/form.ts';
import { type AnyRoute, definePreparedRoute, defineRead } from '#server/http/route.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { importInspectionAnswer } from '#shared/contract/imports.ts';
import type { ListQuery } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { fileHeaders } from '#server/http/file-headers.ts';
import { definePlanRoute } from '../bulk-edits/plan-route.ts';
import { ID_PARAMETERS, readCollectionQuery } from '../records/lists.service.ts';
import { writerOf } from '../records/write-request.ts';
import { type Export, type ExportColumn, exportable, exportRecords } from './export.service.ts';
import { describedImportForm, readImportForm } from './import-form.ts';
import { planImport, planPaste } from './import.service.ts';
import { inspectSheet } from './inspect.service.ts';
import { pasteBody } from '#shared/contract/paste-requests.ts';

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The parameter with the columns of an exported file. */
const FIELDS = { archive: 'fields', table: 'columns' } as const;

function exportParameters(kind: Collection['kind']): Readonly<Record<string, string>> {
  return {
    format: 'csv or xlsx; xlsx by default',
    [FIELDS[kind]]:
      kind === 'archive'
        ? 'the names of the index fields, and keyword.NAME for keyword fields, separated by commas, in the order of their ' +
          'columns; all by default'
        : 'the names of the columns, separated by commas, in their order; all by default',
    headers: 'labels or names; labels by default',
    separator: 'the separator of a CSV file: comma or semicolon; comma by default',
    ...ID_PARAMETERS,
  };
}

function exportRoute(kind: Collection['kind'], path: string): AnyRoute {
  return defineRead({
    path,
    summary: 'Export the matches of a list as a spreadsheet',
    description:
      `Includes the id and version of each ${WHAT[kind]}, so that the corrected file can be imported. ` +
      'Cells are typed in XLSX. In CSV, values have the form of the interface, and texts that a spreadsheet program would ' +
      'run as a formula are preceded by an apostrophe. The values of a keyword field are in one cell, separated by commas; ' +
      'a backslash escapes commas and backslashes in a value.',
    target: kind,
    cost: 'heavy',
    parameters: exportParameters(kind),
    answer: 'bytes',
    async handle(db, { target, query }) {
      const { wanted, list } = readExport(target, query);
      const stream = await exportRecords(db, target, list, wanted);
      const { format } = wanted;
      return { stream, headers: fileHeaders(`${target.name}.${format}`, TYPES[format]) };
    },
  });
}

function inspectionRoute(kind: Collection['kind'], path: string): AnyRoute {
  return definePreparedRoute({
    method: 'POST',
    path: `${path}/imports/inspections`,
    summary: 'Inspect a spreadsheet before its import',
    description:
      'Form: `files[0]`, and `columns` as JSON if the headers do not identify the fields. Changes nothing.',
    target: kind,
    access: 'write',
    body: formBody,
    form: describedImportForm(kind),
    answer: importInspectionAnswer,
    cost: 'heavy',
    idempotency: 'none',
    async prepare(_database, { target, body }) {
      const { file, columns } = await readImportForm(target, body);
      const inspection = await inspectSheet(target, file, columns);
      return async () => ({ body: { imports: [inspection] } });
    },
  });
}

function importRoute(
  kind: Collection['kind'],
  path: string,
  { description }: { readonly description: string },
): AnyRoute {
  return definePlanRoute({
    path: `${path}/imports`,
    summary: 'Plan the import of a spreadsheet',
    description,
    target: kind,
    body: formBody,
    form: describedImportForm(kind),
    async plan(database, request) {
      const { target } = request;
      const form = await readImportForm(target, request.body);
      return planImport(database, target, writerOf(request), form);
    },
  });
}

const WHAT = { archive: 'revision', table: 'dataset' } as const;

/** Exports and imports of index data and datasets as spreadsheets. */
export function spreadsheetRoutes(): AnyRoute[] {
  return [
    exportRoute('archive', '{archives}/:archive/index/export'),
    exportRoute('table', '{tables}/:guid/datasets/export'),
    inspectionRoute('archive', '{archives}/:archive'),
    inspectionRoute('table', '{tables}/:guid'),
    importRoute('archive', '{archives}/:archive', {
      description:
        'Form: `files[0]`; `columns` as JSON if the headers do not identify the fields; `mode`: `change` (default) for a ' +
        'corrected export with the ids of the revisions, or `create`, which makes each row a document; `separator`, ' +
        '`encoding` and the line of the `header`, which are detected by default. The answer is a batch, which ' +
        'changes nothing before it is applied. Empty cells remove the value; fields without a column do not change.',
    }),
    importRoute('table', '{tables}/:guid', {
      description:
        'Form: `files[0]`; `columns` as JSON if the headers do not identify the columns; `mode`: `create`, `change` or ' +
        '`both` (default); `key`: jrid or a unique column that identifies datasets; by default the jrid if the file has ' +
        'it, else its first unique column. The answer is a batch, which changes nothing before it is applied. A row ' +
        'without a key, or with an unknown one, is a new dataset; columns that the file does not have get their ' +
        'defaults. Empty cells remove the value; columns that the file does not have do not change.',
    }),
    definePlanRoute({
      path: '{tables}/:guid/pastes',
      summary: 'Plan the paste of many rows',
      description:
        'The answer is a batch, as for imports. A row with a jrid changes that record, if it has the version of ' +
        '`ifMatch` (optional). A row without a jrid creates a record; empty cells get the defaults of their columns. ' +
        'Cells are in the order of `columns`; a row with fewer cells does not change the remaining columns. Texts are ' +
        'parsed like those of a spreadsheet, by `decimal` and `order` of their column. At most 200,000 rows.',
      target: 'table',
      body: pasteBody,
      plan: (database, request) =>
        planPaste(database, request.target, writerOf(request), request.body),
    }),
  ];
}

/** @throws {ApiError} 400 naming the parameters */
function readExport(
  collection: Collection,
  query: QueryParameters,
): { readonly wanted: Export; readonly list: ListQuery } {
  const fields = FIELDS[collection.kind];
  const names = ['format', fields, 'headers', 'separator'] as const;
  const parts = ['where', 'q', 'sort'] as const;
  const { query: list, reader } = readCollectionQuery(collection, query, names, parts);
  const oneOf = <Value extends string>(
    name: 'format' | 'headers' | 'separator',
    values: readonly [Value, ...Value[]],
  ) => {
    const given = reader.text(name);
    const value = given === undefined ? values[0] : values.find((known) => known === given);
    if (value === undefined) reader.refuse(name, texts.notOneOf({ name, values }));
    return value ?? values[0];
  };
  const format = oneOf('format', ['xlsx', 'csv']);
  const headers = oneOf('headers', ['labels', 'names']);
  const separator = oneOf('separator', ['comma', 'semicolon']) === 'comma' ? ',' : ';';
  const all = exportable(collection, headers);
  const columns: ExportColumn[] = [];
  for (const name of reader.text(fields)?.split(',') ?? all.map((field) => field.name)) {
    const found = findByName(all, name);
    if (!found) reader.refuse(fields, texts.noField({ name: name.slice(0, 100) }));
    else if (columns.includes(found)) reader.refuse(fields, texts.fieldTwice({ name }));
    else columns.push(found);
  }
  requireValid(reader);
  return { wanted: { format, columns, separator }, list };
}
