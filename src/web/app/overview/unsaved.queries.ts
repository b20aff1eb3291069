import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { whenStore } from '#web/api/when-store.ts';

/** The user's unsaved changes in one archive or table in this browser. */
export interface Unsaved {
  readonly collection: CollectionRef;
  /** of an archive: the revisions with unsaved changes; empty for a table, whose grid leads to them */
  readonly revisionIds: readonly string[];
}

/**
 * The archives and tables in which the user has unsaved changes, from the browser's database. The code that reads it is
 * loaded after the page.
 */
export const unsavedQuery = (
  client: QueryClient,
  username: string,
  archives: readonly string[],
  tables: readonly string[],
) =>
  queryOptions({
    queryKey: ['unsaved', { of: username, archives, tables }],
    queryFn: async (): Promise<readonly Unsaved[]> => {
      const [forms, grids] = await Promise.all([
        unsavedOfArchives(client, username, archives),
        unsavedOfTables(username, tables),
      ]);
      return [...forms, ...grids];
    },
    // Other pages and tabs change it.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // Changes reach the database with a short delay, and changes that a grid is saving are saved soon.
    refetchInterval: 3_000,
  });

async function unsavedOfArchives(
  client: QueryClient,
  username: string,
  archives: readonly string[],
): Promise<Unsaved[]> {
  const { draftsOf } = await import('#web/features/index-form/drafts.ts');
  const found = archives.map(async (id): Promise<Unsaved> => {
    const drafts = draftsOf(client, username, id);
    await whenStore(drafts.ready, (isReady) => isReady);
    return { collection: { kind: 'archive', id }, revisionIds: [...drafts.ids.get()] };
  });
  return (await Promise.all(found)).filter(({ revisionIds }) => revisionIds.length > 0);
}

async function unsavedOfTables(username: string, tables: readonly string[]): Promise<Unsaved[]> {
  const { unsavedTables } = await import('#web/features/data-grid/edit-store/edit-database.ts');
  const unsaved = await unsavedTables(username);
  return tables
    .filter((guid) => unsaved.has(guid.toLowerCase()))
    .map((id) => ({ collection: { kind: 'table', id }, revisionIds: [] }));
}
