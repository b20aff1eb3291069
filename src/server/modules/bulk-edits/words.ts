/** What the records of an archive or data table, and it itself, are called in sentences. */
export const WORDS = {
  archive: { collection: 'archive', record: 'revision', field: 'index field' },
  table: { collection: 'table', record: 'record', field: 'column' },
} as const;
