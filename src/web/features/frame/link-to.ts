import { linkOptions } from '@tanstack/react-router';
import { parseSearch } from '#web/api/address-search.ts';
import { figuresLink, listLink, valuesLink } from '#web/api/list-link.ts';
import { readListView, writeListView } from '#web/api/list-view.ts';
import { reviewLink } from '#web/api/review-link.ts';
import type { Destination } from './destinations.ts';

/** The options of a navigation to a destination of the palette. */
export function linkTo(destination: Exclude<Destination, { readonly kind: 'command' }>) {
  switch (destination.kind) {
    case 'archive':
      return listLink({ kind: 'archive', id: destination.archive });
    case 'revision':
    case 'value':
      return linkOptions({
        to: '/archives/$archive',
        params: { archive: destination.archive },
        search: writeListView({ selected: destination.revisionId }),
        state: { focusForm: true },
      });
    case 'table':
      return listLink({ kind: 'table', id: destination.guid });
    case 'record': {
      const { guid, jrid } = destination;
      return listLink({ kind: 'table', id: guid }, writeListView({ selected: jrid }));
    }
    case 'view': {
      const { collection, viewId } = destination;
      const view = readListView(parseSearch(destination.search));
      return listLink(collection, writeListView({ ...view, view: viewId }));
    }
    case 'values':
      return valuesLink(destination.collection, destination.field);
    case 'figures':
      return figuresLink(destination.collection);
    case 'page':
      return linkOptions({ to: destination.to });
    case 'review':
      return reviewLink(destination.archive, null);
    case 'queue': {
      const { archive, queueId } = destination;
      return linkOptions({ to: '/archives/$archive/queue/$queueId', params: { archive, queueId } });
    }
    default:
      return destination satisfies never;
  }
}
