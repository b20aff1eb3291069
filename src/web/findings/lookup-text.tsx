import { useQuery, useQueryClient } from '@tanstack/react-query';
import { namedQuery, type LookUpField } from '#web/fields/look-up.ts';
import { notInTable } from './not-in-table.ts';

interface LookupTextProps {
  readonly field: LookUpField;
  readonly text: string;
  /** the text if the table cannot be named */
  readonly otherwise: string;
}

/** A message that a table does not contain the stored value of a field, with the name of the table. */
export function LookupText({ field, text, otherwise }: LookupTextProps) {
  const { data } = useQuery(namedQuery(useQueryClient(), field, text));
  return data && data.options.length === 0 ? notInTable(text, data.label) : otherwise;
}
