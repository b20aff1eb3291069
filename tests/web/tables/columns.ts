import type { Column } from '#shared/rules/definitions.ts';

/** A column, with what a test does not state filled in. */
export function buildColumn(name: string, rules: Partial<Column> = {}): Column {
  return {
    name,
    label: name,
    type: 'text',
    required: false,
    maxLength: null,
    scale: null,
    options: null,
    min: null,
    max: null,
    pattern: null,
    description: '',
    optionsFrom: null,
    default: null,
    unique: false,
    ...rules,
  };
}
