import { resolve } from 'node:path';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { EntryErrors, textsOf } from '#shared/contract/errors.ts';
import { JsonNumber, type JsonValue } from '#shared/values/json.ts';
import { jridSchema, type ColumnValues } from '#shared/contract/requests.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { readSentRecord, type ErrorPaths, type SentRecord } from '../records/sent-record.ts';
import type { Pass, LoadedRow, RowProblem, RowSource } from './loaded-row.ts';

type InlineDocument = DefinitionFile['archives'][number]['documents'][number];

/** The documents or datasets that are in the definition file itself. */
export class InlineRows implements RowSource {
  readonly name: string;
  readonly separator = ',';
  readonly columns = ['entry'];
  readonly #rows: readonly LoadedRow[];

  constructor(name: string, rows: readonly LoadedRow[]) {
    this.name = name;
    this.#rows = rows;
  }

  get mayHaveIds(): boolean {
    return this.#rows.some((row) => hasId(row));
  }
  get mayLackIds(): boolean {
    return this.#rows.some((row) => !hasId(row));
  }

  async *rows(pass: Pass): AsyncGenerator<LoadedRow> {
    for (const row of this.#rows) if (hasId(row) === (pass === 'with id')) yield row;
  }

  fraction(): number {
    return 1;
  }
}

/** A row with an invalid id is checked in the pass `with id`. */
function hasId(row: LoadedRow): boolean {
  return row.id !== null || row.problems.some(({ field }) => field === 'jrid');
}

/** @param directory base of the paths of files */
export function rowsOfDocuments(
  archive: Collection,
  documents: readonly InlineDocument[],
  directory: string,
): LoadedRow[] {
  return documents.map((document, i) => {
    const { revisionId, indexFields = [], keywordFields = [], files } = document;
    const id = revisionId === undefined ? {} : { revisionId: new JsonNumber(String(revisionId)) };
    return {
      ...checked(archive, { values: indexFields, keywords: keywordFields }, []),
      ...written(i, {
        ...id,
        indexFields: indexFields.map(({ name, value }) => ({ name, value })),
        keywordFields: keywordFields.map((item) => ({ ...item })),
        ...(files ? { files: [...files] } : {}),
      }),
      id: revisionId ?? null,
      files: files?.map((file) => resolve(directory, file)),
    };
  });
}

export function rowsOfDatasets(table: Collection, datasets: readonly ColumnValues[]): LoadedRow[] {
  return datasets.map((dataset, i) => {
    const { jrid, ...columns } = dataset;
    const parsed = jrid === undefined ? undefined : jridSchema.safeParse(jrid);
    const problems = parsed?.success === false ? parsed.error.issues : [];
    const values = Object.entries(columns).map(([name, value]) => ({ name, value }));
    return {
      ...checked(
        table,
        { values, keywords: [] },
        problems.map(({ message }) => ({ field: 'jrid', message })),
      ),
      ...written(i, dataset),
      id: parsed?.data ?? null,
      files: undefined,
    };
  });
}

function written(
  position: number,
  entry: JsonValue,
): Pick<LoadedRow, 'position' | 'cells' | 'content'> {
  const text = JSON.stringify(withSortedKeys(entry));
  return { position: -1 - position, cells: [text], content: () => text };
}

function checked(
  collection: Collection,
  sent: SentRecord,
  before: readonly RowProblem[],
): Pick<LoadedRow, 'values' | 'keywords' | 'problems'> {
  const errors = new EntryErrors();
  const given = readSentRecord(collection, sent, null, PATHS, errors);
  return {
    values: collection.fields.map((_, index): Scalar | undefined => given.values.get(index)),
    keywords: collection.keywordFields.map((_, index) => given.keywords.get(index)),
    problems: [...before, ...problemsOf(errors)],
  };
}

const PATHS: ErrorPaths = { whole: '-', field: (name) => name, keyword: (name) => name };

/** The errors by field; `-` is the row as a whole. */
function problemsOf(errors: EntryErrors): RowProblem[] {
  return Object.entries(textsOf(errors.messages)).flatMap(([path, messages]) =>
    messages.map((message) => ({ field: path === '-' ? null : path, message })),
  );
}

/** With sorted keys; numbers that JavaScript would round stay text. */
function withSortedKeys(value: JsonValue): unknown {
  if (value instanceof JsonNumber) {
    const number = Number(value.source);
    return String(number) === value.source ? number : value.source;
  }
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] ?? null)]));
}
