import type { ImportColumn } from '#shared/contract/imports.ts';
import { ID_HEADERS, VERSION_HEADER } from '#shared/rules/spreadsheet-headers.ts';
import { csvLine, toCsvText } from '#shared/rules/spreadsheets.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { type FieldValue, parseField } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';

/** The typed values of a revision, based on the version that was read. */
export interface Correction {
  readonly base: VersionedRevision;
  /** by the paths of the fields */
  readonly edits: ReadonlyMap<string, FieldValue>;
}

/** Corrections as a file, which is imported as a bulk edit. */
export interface CorrectionsFile {
  readonly file: File;
  readonly columns: readonly ImportColumn[];
  readonly separator: string;
}

const SEPARATOR = ',';

/**
 * Writes corrections as an import: for each revision the version that the user saw, so that changes by others are not
 * overwritten, and all fields that any correction changes. Invalid values must be left out before.
 * @param fields the fields that corrections can change
 */
export function correctionsFile(
  corrections: readonly Correction[],
  fields: readonly ArchiveField[],
): CorrectionsFile {
  const changed = fields.filter(({ path }) => corrections.some(({ edits }) => edits.has(path)));
  const headers = [ID_HEADERS.archive, VERSION_HEADER, ...changed.map(({ name }) => name)];
  const rows = corrections.map(({ base, edits }) => [
    base.revision.revisionId,
    (base.etag ?? '').replaceAll('"', ''),
    ...changed.map((field) => cellOf(base, field, edits.get(field.path))),
  ]);
  const text = [headers, ...rows].map((cells) => csvLine(cells, SEPARATOR)).join('\r\n');
  return {
    file: new File([text], 'corrections.csv', { type: 'text/csv' }),
    columns: [
      { as: 'id' },
      { as: 'version' },
      ...changed.map(
        ({ name }) => ({ as: 'field', field: name, decimal: '.', order: 'ymd' }) as const,
      ),
    ],
    separator: SEPARATOR,
  };
}

function cellOf(
  { revision }: VersionedRevision,
  field: ArchiveField,
  edit: FieldValue | undefined,
): string {
  const stored = storedIn(revision, field);
  const parsed = edit === undefined ? null : parseField(field.definition, edit);
  const value = parsed?.ok ? parsed.value : stored;
  return isList(value) ? '' : toCsvText(value);
}
