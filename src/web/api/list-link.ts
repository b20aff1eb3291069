import { linkOptions } from '@tanstack/react-router';
import type { RawSearch } from './list-view.ts';
import type { ListPlace } from './paths.ts';

/** The options of a link or navigation to the list of an archive or table. @param search of `writeListView` */
export function listLink({ kind, id }: ListPlace, search: RawSearch = {}) {
  return kind === 'archive'
    ? linkOptions({ to: '/archives/$archive', params: { archive: id }, search })
    : linkOptions({ to: '/tables/$guid', params: { guid: id }, search });
}

/** The same to the page of figures about it. */
export function figuresLink({ kind, id }: ListPlace) {
  return kind === 'archive'
    ? linkOptions({ to: '/archives/$archive/figures', params: { archive: id } })
    : linkOptions({ to: '/tables/$guid/figures', params: { guid: id } });
}
