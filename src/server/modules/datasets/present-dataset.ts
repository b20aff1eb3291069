import type { StoredRecord } from '#server/database/records/record.ts';
import type { Dataset } from '#shared/contract/answers.ts';
import type { Table } from '#server/database/records/collection.ts';

/**
 * A dataset in all responses: `jrid` and one property per column (docs/interface/rest-interface.md,
 * section 2.2).
 */
export function toDataset(table: Table, record: StoredRecord): Dataset {
  const dataset: Dataset = { jrid: String(record.id) };
  table.fields.forEach(({ name }, index) => {
    dataset[name] = record.values[index] ?? null;
  });
  return dataset;
}
