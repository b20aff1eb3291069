import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import {
  fieldProblem,
  type FieldValue,
  isBlank,
  isEdited,
  isSameValue,
} from '#web/fields/field-model.ts';
import { fieldAt, fieldsOf, storedIn } from '#web/fields/index-data.ts';
import type { FormEdits, FieldValues } from './form-values.ts';

/** A field whose value is inserted into the next forms. */
export interface CarriedOverValue {
  readonly value: FieldValue;
  /** the revision of the value */
  readonly from: string;
  /** revisions into which it is not inserted (again): it was saved there, or the user has restored the stored value */
  readonly excludedRevisions: ReadonlySet<string>;
}

/** The values carried over in an archive, by path. */
export type CarriedOverValues = ReadonlyMap<string, CarriedOverValue>;

/**
 * The carried over values that change an opened revision: those of fields with another stored value. An empty one changes
 * nothing.
 */
export function carriedOverInto(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  carriedOver: CarriedOverValues,
): CarriedOverValues {
  const fields = fieldsOf(archive).filter((field) => {
    const entry = carriedOver.get(field.path);
    return (
      entry &&
      !isBlank(entry.value) &&
      !entry.excludedRevisions.has(revision.revisionId) &&
      isEdited(field.definition, storedIn(revision, field), entry.value)
    );
  });
  const paths = new Set(fields.map(({ path }) => path));
  return new Map([...carriedOver].filter(([path]) => paths.has(path)));
}

/** The edits of an opened form: those of its draft, and carried over values in all other fields. */
export function withCarriedOverValues(carriedOver: CarriedOverValues, draft: FormEdits): FormEdits {
  return new Map([
    ...[...carriedOver].map(([path, { value }]) => [path, value] as const),
    ...draft,
  ]);
}

/** The state of a form when it is saved or left. */
interface FormState {
  readonly revisionId: string;
  readonly values: FieldValues;
  /** the paths that were edited in it */
  readonly edited: ReadonlySet<string>;
  readonly saved: boolean;
}

/** The carried over values after work on a form: a valid typed value replaces the previous one. */
export function nextCarriedOverValues(
  archive: ArchiveDetail,
  carriedOver: CarriedOverValues,
  { revisionId, values, edited, saved }: FormState,
): CarriedOverValues {
  const next = [...carriedOver].map(([path, entry]): [string, CarriedOverValue] => {
    const value = values.get(path);
    const field = fieldAt(archive, path);
    const replaces =
      field &&
      value !== undefined &&
      edited.has(path) &&
      !isSameValue(value, entry.value) &&
      fieldProblem(field.definition, value) === null;
    const excludedRevisions = saved
      ? new Set([...entry.excludedRevisions, revisionId])
      : entry.excludedRevisions;
    return [
      path,
      replaces ? { value, from: revisionId, excludedRevisions } : { ...entry, excludedRevisions },
    ];
  });
  return new Map(next);
}

/** The carried over values after some were restored in a revision: they are not inserted into it again. */
export function excludeRevision(
  carriedOver: CarriedOverValues,
  revisionId: string,
  paths: Iterable<string>,
): CarriedOverValues {
  const after = new Map(carriedOver);
  for (const path of paths) {
    const entry = carriedOver.get(path);
    if (entry)
      after.set(path, {
        ...entry,
        excludedRevisions: new Set([...entry.excludedRevisions, revisionId]),
      });
  }
  return after;
}
