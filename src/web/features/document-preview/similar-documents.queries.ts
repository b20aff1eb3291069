import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { readDocuments } from '#web/api/record-lists.ts';
import { type IndexFieldDefinition, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { DocumentSource } from '#web/fields/document-source.ts';
import { fileOf, type FileToOpen, openFiles } from './open-file.ts';
import { mostCommonPlace, relativePlaces, type RelativePlace } from './page-places.ts';

/** In how many documents the place of a field is searched, newest first. */
const MAX_DOCUMENTS = 5;

interface PlacesOptions {
  /** the archive's table name */
  readonly archive: string;
  readonly field: IndexFieldDefinition;
  /** null: there are no such documents */
  readonly source: DocumentSource | null;
}

/** The places of a field's value in one document. */
interface PlacesInDocument {
  readonly revisionId: string;
  readonly places: readonly RelativePlace[];
}

/** The places of a field's values in documents of the same source. */
const placesQuery = ({ archive, field, source }: PlacesOptions) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'places on pages', field.name, source],
    queryFn: async ({ signal }): Promise<readonly PlacesInDocument[]> => {
      if (!source) return [];
      const where = [
        { field: source.field, op: 'eq', value: source.value },
        { field: field.name, op: 'null', value: 'false' },
      ] as const;
      const newest = { where, sort: ['-changedAt'] };
      const page = { limit: MAX_DOCUMENTS };
      const { archivedocuments } = await readDocuments(archive, newest, page, signal);
      const found: PlacesInDocument[] = [];
      for (const revision of archivedocuments) {
        if (signal.aborted) break;
        const value = storedIn(revision, { name: field.name, definition: field });
        const spellings = isList(value) ? null : spellingsOf(field.type, value);
        const file = fileOf(archive, revision);
        if (!spellings || file?.kind !== 'pdf') continue;
        found.push({
          revisionId: revision.revisionId,
          places: await placesIn(file, spellings),
        });
      }
      return found;
    },
    // Index data changes do not affect the pages.
    staleTime: 'static',
  });

async function placesIn(file: FileToOpen, spellings: RegExp): Promise<readonly RelativePlace[]> {
  const shown = openFiles.show(file);
  try {
    const open = await shown.file;
    return open.as === 'pages' ? await relativePlaces(open.source, spellings) : [];
  } catch {
    // An unreadable document does not affect the others.
    return [];
  } finally {
    shown.release();
  }
}

/**
 * The place of a field's value in other documents of the same source; null: they do not share one, or there are no
 * others. @param except the revision itself
 */
export async function placeInSimilarDocuments(
  client: QueryClient,
  { except, ...options }: PlacesOptions & { readonly except: string },
): Promise<RelativePlace | null> {
  const documents = await client.query(placesQuery(options)).catch(() => []);
  return mostCommonPlace(
    documents.flatMap(({ revisionId, places }) => (revisionId === except ? [] : [places])),
  );
}
