import { useMemo } from 'react';
import { chosenFields } from '#web/list-tools/list-field.ts';
import type { TableField } from './table-fields.ts';

/**
 * The visible columns of the grid in order.
 * @param chosen names of columns from the view; undefined: those that the table shows at first
 * @returns the same array until the fields or the names change
 */
export function useShownFields(
  fields: readonly TableField[],
  chosen: readonly string[] | undefined,
): readonly TableField[] {
  const names = chosen?.join();
  return useMemo(() => chosenFields(fields, names?.split(',')), [fields, names]);
}
