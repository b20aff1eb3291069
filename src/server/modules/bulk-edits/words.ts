/** The words for records and collections in messages. */
export const WORDS = {
  archive: { collection: 'archive', record: 'revision', field: 'index field' },
  table: { collection: 'table', record: 'record', field: 'column' },
} as const;
