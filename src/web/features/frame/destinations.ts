import { fold } from '#shared/values/fold.ts';
import { collectionName, namedCollections } from '#web/api/named-collections.ts';
import {
  archiveDestinations,
  commandDestinations,
  type Destination,
  type DestinationSearch,
  type DestinationSources,
  figuresDestinations,
  queueDestinations,
  reviewDestinations,
  revisionDestinations,
  tableDestinations,
  valuesDestinations,
  viewDestinations,
} from './destination-kinds.ts';

/**
 * The destinations for a typed text, best match first: a whole number is a revision in each archive; any text is
 * searched in the names, each word separately. Then come saved views with at least one of the words in their own name,
 * the values that were found, queues to resume, and commands; views and commands are offered only for a typed text.
 */
export function destinationsFor(typed: string, sources: DestinationSources): Destination[] {
  const search = searchFor(typed, sources);
  return [
    ...revisionDestinations(search),
    ...archiveDestinations(search),
    ...tableDestinations(search),
    ...viewDestinations(search),
    ...figuresDestinations(search),
    ...sources.found,
    ...queueDestinations(search),
    ...reviewDestinations(search),
    ...valuesDestinations(search),
    ...commandDestinations(search),
  ];
}

function searchFor(typed: string, sources: DestinationSources): DestinationSearch {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const collections = namedCollections(sources.archives, sources.tables);
  return {
    ...sources,
    collections,
    number: /^\s*#?\s*0*([1-9]\d{0,15})\s*$/.exec(typed)?.[1],
    words,
    isNamed: (...names) => {
      const folded = fold(names.join(' '));
      return words.every((word) => folded.includes(word));
    },
    nameOf: (id) => collectionName(collections, id),
  };
}
