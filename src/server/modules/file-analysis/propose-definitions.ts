import type { AnalysedColumn, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { nameFor } from '#shared/rules/proposed-names.ts';
import { titleFor } from './proposed-labels.ts';

type Named = AnalysedColumn & { readonly name: string };

/** The archive and the table that a spreadsheet can become; null: it has no columns. */
export function proposeDefinitions(
  fileName: string,
  columns: readonly AnalysedColumn[],
): SheetAnalysis['proposed'] {
  const fields = columns.filter((column): column is Named => column.name !== null);
  if (fields.length === 0) return { archive: null, table: null };
  const title = titleFor(fileName);
  const name = nameFor(title, 'DATA');
  const label = title === '' ? name : title;
  return {
    archive: { table: name, name: label, indexFields: fields.map(fieldOf) },
    table: {
      name,
      label,
      columns: fields.map((column) => ({
        ...fieldOf(column),
        // As in the tables of the sample content.
        name: column.name.toLowerCase(),
        unique: column.unique,
      })),
    },
  };
}

function fieldOf({ name, label, type, required, maxLength, scale, options }: Named) {
  return {
    name,
    label,
    type,
    required,
    ...(maxLength === null ? {} : { maxLength }),
    ...(scale === null ? {} : { scale }),
    ...(options === null ? {} : { options }),
  };
}
