import * as texts from '#messages/service/loading.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { LoadError } from '../definition-files/load-error.ts';

/** The mapping of a CSV file to an archive or table, from the definition file: columns match by name where it has none. */
export type CsvMapping = NonNullable<DefinitionFile['archives'][number]['documentsFrom']> &
  NonNullable<DefinitionFile['tables'][number]['datasetsFrom']>;

/** The cells of the fields in each row. */
export interface CsvColumns {
  readonly header: readonly string[];
  /** the cell of the id */
  readonly id: number | null;
  readonly fields: readonly { readonly fieldIndex: number; readonly cell: number }[];
  readonly keywords: readonly {
    readonly fieldIndex: number;
    readonly cell: number;
    /** undefined: a comma list, as in the interface */
    readonly separator?: string | undefined;
  }[];
  /** the cell with the paths of files */
  readonly files: { readonly cell: number; readonly separator: string | undefined } | undefined;
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
  const keywords: CsvColumns['keywords'][number][] = [];

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
  const idColumn = mapping.revisionId ?? mapping.jrid;
  const id = idColumn === undefined ? cells.free(idName, fields) : cells.find(idColumn);

  for (const [name, { column, separator }] of Object.entries(mapping.keywords ?? {})) {
    const [fieldIndex, cell] = [indexOfName(collection.keywordFields, name), cells.find(column)];
    if (fieldIndex < 0) problems.push(texts.noKeywordField({ name: collection.name, name2: name }));
    else if (cell >= 0) keywords.push({ fieldIndex, cell, separator });
  }
  if (!mapping.keywords && !mapping.columns) {
    collection.keywordFields.forEach(({ name }, fieldIndex) => {
      const cell = cells.free(name, fields);
      if (cell >= 0) keywords.push({ fieldIndex, cell });
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
