import { keywordFieldName } from '#shared/rules/names.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { isText } from '#shared/values/registry.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import type { FieldOfCollection } from './destination-kinds.ts';

/** The text fields and keyword fields of the open archive or table, if it is loaded. */
export function useTextFields(): readonly FieldOfCollection[] {
  const { username } = useSession();
  const { pathname } = useLocation();
  const [, kind, name = ''] = /^\/(archives|tables)\/([^/]+)/.exec(pathname) ?? [];
  const id = decodeURIComponent(name);
  const archive = useQuery({ ...archiveQuery(username, id), enabled: kind === 'archives' }).data;
  const table = useQuery({ ...tableQuery(id), enabled: kind === 'tables' }).data;
  const toFields = (
    collection: CollectionRef,
    of: string,
    fields: readonly (Parameters<typeof isText>[0] & { name: string; label: string })[],
  ) =>
    fields
      .filter((field) => isText(field))
      .map((field) => ({ collection, of, field: field.name, label: field.label }));
  if (kind === 'archives' && archive) {
    const collection = { kind: 'archive', id } as const;
    const keywords = archive.keywordFieldDefinitions.map(({ name: keyword, label }) => {
      return { collection, of: archive.name, field: keywordFieldName(keyword), label };
    });
    return [...toFields(collection, archive.name, archive.indexFieldDefinitions), ...keywords];
  }
  return kind === 'tables' && table
    ? toFields({ kind: 'table', id }, table.label, table.columns)
    : [];
}
