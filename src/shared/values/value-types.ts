/** The value types of index fields and columns (docs/interface/decisions.md, section 4). */
export const VALUE_TYPES = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];
