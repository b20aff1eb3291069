import type { CollectionRef } from './api-paths.ts';
import { archiveKeys } from './archives.queries.ts';
import { tableKeys } from './tables.queries.ts';

/** The beginning of the query keys of everything about an archive or table. */
export const collectionKey = ({ kind, id }: CollectionRef) =>
  kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id);
