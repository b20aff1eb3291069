import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import { fieldAt } from '#web/fields/index-data.ts';

/**
 * The label of the field in an error's path (`indexFields.AMOUNT` → “Amount”); its name if the archive had no such
 * field when it was loaded.
 */
export function labelOfPath(archive: ArchiveDetail, path: string): string {
  return fieldAt(archive, path)?.label ?? path.slice(path.indexOf('.') + 1);
}

/** The name of a revision for people, in addition to its id: the value of the archive's first field. */
export function nameOf(archive: ArchiveDetail, revision: Revision): string {
  const [first] = archive.indexFieldDefinitions;
  const value = revision.indexFields.find(({ name }) => name === first?.name)?.value ?? null;
  return value === null ? '' : String(value).slice(0, 200);
}
