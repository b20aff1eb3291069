import * as texts from '#messages/service/spreadsheets.ts';
import type { Database } from '#server/database/database.ts';
import { formBody } from '#server/http/form.ts';
import { type AnyRoute, definePreparedRoute, defineRead } from '#server/http/route.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { importInspectionAnswer } from '#shared/contract/imports.ts';
import { readListQuery, type ListQuery } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { fileHeaders } from '../files/disposition.ts';
import { finish, planRows } from '../bulk-edits/bulk-edits.service.ts';
import { ID_PARAMETERS } from '../records/lists.service.ts';
import { writerOf } from '../records/write-request.ts';
import { type Export, type Exportable, exportable, exportRecords } from './export.service.ts';
import { describedImportForm, readImportForm } from './import-form.ts';
import { wantedRows } from './import.service.ts';
import { inspectSheet } from './inspect.service.ts';
import { pasteBody } from '#shared/contract/paste-requests.ts';
import { planDatasets, planNewRevisions, planPaste } from './row-planner.service.ts';

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The parameter with the columns of an exported file. */
const FIELDS = { archive: 'fields', table: 'columns' } as const;

function exportParameters(kind: Collection['kind']): Readonly<Record<string, string>> {
  return {
    format: 'csv or xlsx; xlsx where not given',
    [FIELDS[kind]]:
      kind === 'archive'
        ? 'the names of the index fields, and keyword.NAME for keyword fields, parted by commas, in the order of their columns; all where not given'
        : 'the names of the columns, parted by commas, in their order; all where not given',
    headers: 'labels or names; labels where not given',
    separator: 'between the values of a CSV file: comma or semicolon; comma where not given',
    ...ID_PARAMETERS,
  };
}

function exportRoute(database: Database, kind: Collection['kind'], path: string): AnyRoute {
  return defineRead({
    path,
    summary: 'What a list matches as a spreadsheet',
    description:
      `With the id and version of each ${WHAT[kind]}, so that the corrected file can be imported. ` +
      'Cells are typed in XLSX; in CSV values stand as in the interface, and what a spreadsheet ' +
      'program would run as a formula has an apostrophe before it. Several values of a keyword ' +
      'field stand in one cell, parted by commas; a comma or backslash in a value has a backslash before it.',
    target: kind,
    cost: 'heavy',
    parameters: exportParameters(kind),
    answer: 'bytes',
    async handle(db, { target, query }) {
      const { wanted, list } = readExport(target, query);
      const stream = await exportRecords(database, db, target, list, wanted);
      const { format } = wanted;
      return { stream, headers: fileHeaders(`${target.name}.${format}`, TYPES[format]) };
    },
  });
}

function inspectionRoute(kind: Collection['kind'], path: string): AnyRoute {
  return definePreparedRoute({
    method: 'POST',
    path: `${path}/imports/inspections`,
    summary: 'Look through a spreadsheet before it is imported',
    description:
      'Form: files[0], and columns as JSON where the headers do not say it. Changes nothing.',
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

const WHAT = { archive: 'revision', table: 'dataset' } as const;

/** Exports and imports of index data and datasets as spreadsheets. */
export function spreadsheetRoutes(database: Database): AnyRoute[] {
  return [
    exportRoute(database, 'archive', '{archives}/:archive/index/export'),
    exportRoute(database, 'table', '{tables}/:guid/datasets/export'),
    inspectionRoute('archive', '{archives}/:archive'),
    inspectionRoute('table', '{tables}/:guid'),
    definePreparedRoute({
      method: 'POST',
      path: '{archives}/:archive/imports',
      summary: 'Plan the import of a spreadsheet',
      description:
        'Form: files[0]; columns as JSON where the headers do not say it; mode: change, where not given, for a corrected ' +
        'export with the ids of the revisions, or create: each row becomes a document; separator, encoding and the line of ' +
        'the header where they are not to be guessed. Answers a bulk edit, which changes nothing before it is applied. ' +
        'Empty cells take the value away; columns that are not there change nothing.',
      target: 'archive',
      access: 'write',
      body: formBody,
      form: describedImportForm('archive'),
      answer: bulkEditsAnswer,
      status: 201,
      cost: 'heavy',
      async prepare(_database, request) {
        const { target } = request;
        const form = await readImportForm(target, request.body);
        const writer = writerOf(request);
        const plan =
          form.mode === 'create'
            ? await planNewRevisions(database, target, writer, form)
            : await planRows(
                database,
                target,
                writer,
                await wantedRows(database, target, form.file, form.columns),
              );
        return async (db) => ({ body: { bulkedits: [await finish(db, target, plan)] } });
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: '{tables}/:guid/imports',
      summary: 'Plan the import of a spreadsheet',
      description:
        'Form: files[0]; columns as JSON where the headers do not say it; mode: create, change or both, both ' +
        'where not given; key: jrid or a unique column by which datasets are known, where not given the jrid ' +
        'if the file has it, else its first unique column. Answers a bulk edit, which changes nothing before ' +
        'it is applied. A row of no or an unknown key is a new dataset, where columns that are not there take ' +
        'their defaults. Empty cells are no value; columns that are not there change nothing.',
      target: 'table',
      access: 'write',
      body: formBody,
      form: describedImportForm('table'),
      answer: bulkEditsAnswer,
      status: 201,
      cost: 'heavy',
      async prepare(_database, request) {
        const { target } = request;
        const form = await readImportForm(target, request.body);
        const plan = await planDatasets(database, target, writerOf(request), form);
        return async (db) => ({ body: { bulkedits: [await finish(db, target, plan)] } });
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: '{tables}/:guid/pastes',
      summary: 'Plan the paste of many rows',
      description:
        'Answers a bulk edit, as imports do. A row with a jrid changes that record, in the version of `ifMatch` where ' +
        'it is given; one without creates a record, whose empty cells take the defaults of their columns. ' +
        'Cells are in the order of `columns`; a row with fewer cells leaves the other columns as they are. Texts are read ' +
        'as those of a spreadsheet, by `decimal` and `order` of their column. At most 200,000 rows.',
      target: 'table',
      access: 'write',
      body: pasteBody,
      answer: bulkEditsAnswer,
      status: 201,
      cost: 'heavy',
      async prepare(_database, request) {
        const { target, body } = request;
        const plan = await planPaste(database, target, writerOf(request), body);
        return async (db) => ({ body: { bulkedits: [await finish(db, target, plan)] } });
      },
    }),
  ];
}

/** @throws {ApiError} 400 naming the parameters */
function readExport(
  collection: Collection,
  query: QueryParameters,
): { readonly wanted: Export; readonly list: ListQuery } {
  const fields = FIELDS[collection.kind];
  const { query: list, reader } = readListQuery(
    query,
    collection.listColumns,
    ['format', fields, 'headers', 'separator'],
    ['where', 'q', 'sort'],
    collection.limits,
  );
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
  const all = exportable(collection);
  const chosen: Exportable[] = [];
  for (const name of reader.text(fields)?.split(',') ?? all.map((one) => one.name)) {
    const found = findByName(all, name);
    if (!found) reader.refuse(fields, texts.noField({ name: name.slice(0, 100) }));
    else if (chosen.includes(found)) reader.refuse(fields, texts.fieldTwice({ name }));
    else chosen.push(found);
  }
  reader.requireValid();
  const columns = chosen.map(({ column }) => column(headers));
  return { wanted: { format, columns, separator }, list };
}
