/** What the records of an archive or data table, and it itself, are called in sentences. */
export const WORDS = {
  archive: { thing: 'archive', record: 'revision', field: 'index field' },
  table: { thing: 'table', record: 'record', field: 'column' },
} as const;
