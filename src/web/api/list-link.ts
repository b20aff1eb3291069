import { linkOptions } from '@tanstack/react-router';
import type { RawSearch } from './list-view.ts';
import type { CollectionRef } from './api-paths.ts';

/** The options of a link or navigation to the list of an archive or table. @param search of `writeListView` */
export function listLink({ kind, id }: CollectionRef, search: RawSearch = {}) {
  return kind === 'archive'
    ? linkOptions({ to: '/archives/$archive', params: { archive: id }, search })
    : linkOptions({ to: '/tables/$guid', params: { guid: id }, search });
}

/** The options of a link or navigation to its designer. */
export function definitionLink({ kind, id }: CollectionRef) {
  return kind === 'archive'
    ? linkOptions({ to: '/administration/archives/$archive', params: { archive: id } })
    : linkOptions({ to: '/administration/tables/$guid', params: { guid: id } });
}

/** The options of a link to its page of figures. */
export function figuresLink({ kind, id }: CollectionRef) {
  return kind === 'archive'
    ? linkOptions({ to: '/archives/$archive/figures', params: { archive: id } })
    : linkOptions({ to: '/tables/$guid/figures', params: { guid: id } });
}

/**
 * The options of a link to the duplicates that a check finds, side by side.
 * @param record only the duplicates of this record; undefined: all
 */
export function duplicatesLink({ kind, id }: CollectionRef, check: string, record?: string) {
  const search = record === undefined ? {} : { record };
  return kind === 'archive'
    ? linkOptions({
        to: '/archives/$archive/duplicates/$check',
        params: { archive: id, check },
        search,
      })
    : linkOptions({ to: '/tables/$guid/duplicates/$check', params: { guid: id, check }, search });
}

/** The options of a link or navigation to the values of a field. @param search of `writeListView` */
export function valuesLink({ kind, id }: CollectionRef, field: string, search: RawSearch = {}) {
  return kind === 'archive'
    ? linkOptions({
        to: '/archives/$archive/values/$field',
        params: { archive: id, field },
        search,
      })
    : linkOptions({ to: '/tables/$guid/values/$field', params: { guid: id, field }, search });
}
