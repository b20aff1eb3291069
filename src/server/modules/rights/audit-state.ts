import type { AuditState } from '../history/history.service.ts';
import type { StoredRight } from './rights.store.ts';

/** Rights in the form of the history: by the id of the archive or table, which renaming does not change. */
export function auditStateOfRights(rights: readonly StoredRight[]): AuditState {
  return Object.fromEntries(
    rights.map(({ kind, collectionId, access, fields }) => [
      `right.${kind}.${collectionId}`,
      fields.size === 0 ? access : { right: access, fields: Object.fromEntries(fields) },
    ]),
  );
}
