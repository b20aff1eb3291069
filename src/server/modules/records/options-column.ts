import type { Table } from '#server/database/records/collection.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { findByName } from '#shared/rules/names.ts';

/** A column of a table from which a field takes its options. */
export interface OptionsColumn {
  readonly table: Table;
  readonly column: Table['fields'][number];
}

/** The column from which a field takes its options; null if none of the tables has it. */
export function optionsColumn(
  from: NonNullable<IndexField['optionsFrom']>,
  tables: readonly Table[],
): OptionsColumn | null {
  const table = findByName(tables, from.table);
  const column = table && findByName(table.fields, from.column);
  return column ? { table, column } : null;
}
