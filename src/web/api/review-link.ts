import { linkOptions } from '@tanstack/react-router';
import { type ListView, writeListView } from './list-view.ts';

/** In an address: start with the first field. No field has this name. */
export const FIRST_FIELD = '-';

/** Maximum number of records in an address. */
export const MAX_IN_ADDRESS = 500;

/**
 * The options of a link or navigation to the page that shows one field of many records.
 * @param archive the archive's table name
 * @param field the name of the field; null: the first
 */
export function reviewLink(archive: string, field: string | null, view: ListView = {}) {
  const { where = [], q, sort = [] } = view;
  return linkOptions({
    to: '/archives/$archive/fields/$field',
    params: { archive, field: field ?? FIRST_FIELD },
    search: writeListView({ where, sort, ...(q !== undefined && { q }) }),
  });
}
