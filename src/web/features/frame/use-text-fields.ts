import { useLocation } from '@tanstack/react-router';
import { keywordFieldName } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { useBulkTarget } from '#web/api/collections.queries.ts';
import type { FieldOfCollection } from './destinations.ts';

/** The text fields and keyword fields of the open archive or table, if it is loaded. */
export function useTextFields(): readonly FieldOfCollection[] {
  const { pathname } = useLocation();
  const [, kind, id = ''] = /^\/(archive|table)s\/([^/]+)/.exec(pathname) ?? [];
  const isCollection = kind === 'archive' || kind === 'table';
  const { target } = useBulkTarget(isCollection ? { kind, id: decodeURIComponent(id) } : null);
  if (!target) return [];
  const { collection, name: of, fields, keywordFields } = target;
  return [
    ...fields.filter(isText).map(({ name, label }) => ({ collection, of, field: name, label })),
    ...keywordFields.map(({ name, label }) => ({
      collection,
      of,
      field: keywordFieldName(name),
      label,
    })),
  ];
}
