import type { StoredRecord } from '#server/database/records/record.ts';
import { etagOf } from '#shared/contract/etags.ts';

/** The entity tags of several records, by id. */
export function etagsOf(records: readonly StoredRecord[]): Record<string, string> {
  return Object.fromEntries(records.map(({ id, version }) => [String(id), etagOf(version)]));
}
