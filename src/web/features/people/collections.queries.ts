import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import type { CollectionKey } from './chosen-rights.ts';

/** An archive or table for which rights are given. */
export interface NamedCollection {
  readonly key: CollectionKey;
  readonly name: string;
}

/** All archives and tables, as visible to administrators; undefined while loading. */
export function useCollections(): readonly NamedCollection[] | undefined {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username)).data;
  const tables = useQuery(tablesQuery).data;
  if (!archives || !tables) return undefined;
  return [
    ...archives.map(({ table, name }) => ({ key: { kind: 'archives', id: table } as const, name })),
    ...tables.map(({ guid, label }) => ({
      key: { kind: 'tables', id: guid } as const,
      name: label,
    })),
  ];
}

interface NamedField {
  /** its name in rights */
  readonly name: string;
  readonly label: string;
}

/** The fields of an archive or the columns of a table for which rights can differ; undefined while loading. */
export function useFieldsOf({ kind, id }: CollectionKey): readonly NamedField[] | undefined {
  const { username } = useSession();
  const archive = useQuery({ ...archiveQuery(username, id), enabled: kind === 'archives' }).data;
  const table = useQuery({ ...tableQuery(id), enabled: kind === 'tables' }).data;
  if (kind === 'tables') return table?.columns;
  return (
    archive && [
      ...archive.indexFieldDefinitions,
      ...archive.keywordFieldDefinitions.map(({ name, label }) => ({
        name: `keyword.${name}`,
        label: texts.keyword(label),
      })),
    ]
  );
}
