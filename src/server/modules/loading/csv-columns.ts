import * as texts from '#messages/service/loading.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { LoadError } from '../definition-files/load-error.ts';

type DocumentsFrom = NonNullable<DefinitionFile['archives'][number]['documentsFrom']>;
type DatasetsFrom = NonNullable<DefinitionFile['tables'][number]['datasetsFrom']>;

/** The mapping of a CSV file to an archive or table, from the definition file. */
export interface CsvMapping {
  readonly csv: string;
  /** the CSV column of the revisionId or jrid */
  readonly id: string | null;
  /** field → CSV column; null: by name */
  readonly columns: Readonly<Record<string, string>> | null;
  /** keyword field → CSV column; null: by name */
  readonly keywords: Readonly<
    Record<string, { readonly column: string; readonly separator: string | null }>
  > | null;
  readonly files: { readonly column: string; readonly separator: string | null } | null;
  /** the format; null: detected */
  readonly format: {
    readonly separator: string | null;
    readonly encoding: string | null;
    readonly locale: string | null;
  };
}

export function mappingOfDocuments(from: DocumentsFrom): CsvMapping {
  const keywords = Object.entries(from.keywords ?? {}).map(
    ([name, { column, separator }]) => [name, { column, separator: separator ?? null }] as const,
  );
  return {
    csv: from.csv,
    id: from.revisionId ?? null,
    columns: from.columns ?? null,
    keywords: from.keywords ? Object.fromEntries(keywords) : null,
    files: from.files
      ? { column: from.files.column, separator: from.files.separator ?? null }
      : null,
    format: formatOf(from),
  };
}

export function mappingOfDatasets(from: DatasetsFrom): CsvMapping {
  const { csv, jrid, columns } = from;
  return {
    csv,
    id: jrid ?? null,
    columns: columns ?? null,
    keywords: {},
    files: null,
    format: formatOf(from),
  };
}

function formatOf({ format = {} }: DocumentsFrom | DatasetsFrom): CsvMapping['format'] {
  const { separator = null, encoding = null, locale = null } = format;
  return { separator, encoding, locale };
}

/** The cells of the fields in each row. */
export interface CsvColumns {
  readonly header: readonly string[];
  /** the cell of the id */
  readonly id: number | null;
  readonly fields: readonly { readonly fieldIndex: number; readonly cell: number }[];
  readonly keywords: readonly {
    readonly fieldIndex: number;
    readonly cell: number;
    /** null: a comma list, as in the interface */
    readonly separator: string | null;
  }[];
  /** the cell with the paths of files */
  readonly files: { readonly cell: number; readonly separator: string | null } | null;
  /** CSV columns that are not used */
  readonly unmatched: readonly string[];
}

/**
 * Matches the columns of a CSV file to fields: by the mapping of the definition file, or by name ignoring case.
 * @throws {LoadError} for unknown fields and columns
 */
export function matchColumns(
  collection: Collection,
  mapping: CsvMapping,
  header: readonly string[],
): CsvColumns {
  const problems: string[] = [];
  const cells = new CellFinder(mapping.csv, header, problems);
  const idName = collection.kind === 'archive' ? 'revisionId' : 'jrid';
  const fields: { fieldIndex: number; cell: number }[] = [];
  const keywords: { fieldIndex: number; cell: number; separator: string | null }[] = [];

  for (const [name, column] of Object.entries(mapping.columns ?? {})) {
    const [fieldIndex, cell] = [indexOfName(collection.fields, name), cells.find(column)];
    if (fieldIndex < 0)
      problems.push(
        texts.noField({ name: collection.name, collection: fieldNoun(collection), name2: name }),
      );
    else if (cell >= 0) fields.push({ fieldIndex, cell });
  }
  if (!mapping.columns) {
    collection.fields.forEach(({ name }, fieldIndex) => {
      const cell = cells.byName(name);
      if (cell >= 0) fields.push({ fieldIndex, cell });
    });
  }
  const id = mapping.id === null ? cells.free(idName, fields) : cells.find(mapping.id);

  for (const [name, { column, separator }] of Object.entries(mapping.keywords ?? {})) {
    const [fieldIndex, cell] = [indexOfName(collection.keywordFields, name), cells.find(column)];
    if (fieldIndex < 0) problems.push(texts.noKeywordField({ name: collection.name, name2: name }));
    else if (cell >= 0) keywords.push({ fieldIndex, cell, separator });
  }
  if (!mapping.keywords && !mapping.columns) {
    collection.keywordFields.forEach(({ name }, fieldIndex) => {
      const cell = cells.free(name, fields);
      if (cell >= 0) keywords.push({ fieldIndex, cell, separator: null });
    });
  }
  const files = mapping.files && {
    cell: cells.find(mapping.files.column),
    separator: mapping.files.separator,
  };
  if (problems.length > 0) throw new LoadError(problems);

  const used = new Set([
    id,
    ...fields.map(({ cell }) => cell),
    ...keywords.map(({ cell }) => cell),
    files?.cell,
  ]);
  return {
    header,
    id: id >= 0 ? id : null,
    fields,
    keywords,
    files,
    unmatched: header.filter((_, cell) => !used.has(cell)),
  };
}

export function fieldNoun({ kind }: Pick<Collection, 'kind'>): string {
  return kind === 'archive' ? 'index field' : 'column';
}

/** Finds the cells of columns in a header, -1 for none. */
class CellFinder {
  readonly #csv: string;
  readonly #keys: readonly string[];
  readonly #exact: readonly string[];
  readonly #problems: string[];

  constructor(csv: string, header: readonly string[], problems: string[]) {
    this.#csv = csv;
    this.#exact = header;
    this.#keys = header.map((name) => nameKey(name.trim()));
    this.#problems = problems;
  }

  /** A required column. */
  find(name: string): number {
    const exact = this.#exact.indexOf(name);
    const cell = exact >= 0 ? exact : this.byName(name);
    if (cell < 0) this.#problems.push(texts.noColumn({ csv: this.#csv, name }));
    return cell;
  }

  byName(name: string): number {
    const key = nameKey(name.trim());
    const cell = this.#keys.indexOf(key);
    if (cell >= 0 && this.#keys.includes(key, cell + 1)) {
      this.#problems.push(texts.severalColumns({ csv: this.#csv, name }));
    }
    return cell;
  }

  /** A column that no field uses. */
  free(name: string, fields: readonly { readonly cell: number }[]): number {
    const cell = this.#keys.indexOf(nameKey(name));
    return fields.some((field) => field.cell === cell) ? -1 : cell;
  }
}
