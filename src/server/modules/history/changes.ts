import type { Collection, SupersededField } from '#server/database/records/collection.ts';
import { isExceptionVisible } from '#server/database/records/collection-view.ts';
import { EXCEPTION_PREFIX } from '#server/database/records/check-exceptions.ts';
import { keywordFieldName } from '#shared/rules/names.ts';

/** A changed value of an entry. */
export interface Change {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /**
   * of an exception from a check: the numbers of the fields that it is about; missing in entries of older versions. Of answers
   * only the export of the audit as JSONL has them.
   */
  readonly fields?: readonly number[];
}

/** A change under the present name of its field. */
export interface CurrentChange extends Change {
  /** of a field whose type was changed since: the former field that had the values */
  readonly superseded?: SupersededField;
}

/** @param text the `changes` of an entry */
export function readChanges(text: string): Change[] {
  const changes: Change[] = JSON.parse(text);
  return changes;
}

/** What entries call the fields of an archive or table. */
interface CurrentFields {
  readonly names: ReadonlyMap<string, string>;
  /** by their names in the history */
  readonly superseded: ReadonlyMap<string, SupersededField>;
}

const currentFields = new WeakMap<Collection, CurrentFields>();

function currentFieldsOf(collection: Collection): CurrentFields {
  let present = currentFields.get(collection);
  if (!present) {
    const superseded = collection.fields.flatMap((field) => field.superseded);
    present = {
      names: currentNamesOf(collection),
      superseded: new Map(superseded.map((field) => [field.historyName, field])),
    };
    currentFields.set(collection, present);
  }
  return present;
}

/** The present names of fields, by their names in the history, also by those that they had before a change of their type. */
export function currentNamesOf(
  collection: Pick<Collection, 'fields' | 'keywordFields'>,
): Map<string, string> {
  return new Map([
    ...collection.fields.map(({ historyName, name }) => [historyName, name] as const),
    // After the names of superseded fields themselves, which a collection with all fields has.
    ...collection.fields.flatMap(({ superseded, name }) =>
      superseded.map(({ historyName }) => [historyName, name] as const),
    ),
    ...collection.keywordFields.map(
      ({ historyName, name }) => [keywordFieldName(historyName), keywordFieldName(name)] as const,
    ),
  ]);
}

/** Changes with the present names of fields, without those of retired fields. */
export function toCurrentNames(
  collection: Collection,
  changes: readonly Change[],
): CurrentChange[] {
  const present = currentFieldsOf(collection);
  return changes.flatMap((change) => {
    const isOther = isOfDocument(change.name) || isVisibleException(collection, change);
    const name = isOther ? change.name : present.names.get(change.name);
    if (name === undefined) return [];
    const superseded = isOther ? undefined : present.superseded.get(change.name);
    const { before, after } = change;
    return [{ name, before, after, ...(superseded && { superseded }) }];
  });
}

/** Whether a change concerns an exception from a check that the user may see; no field can have such a name. */
function isVisibleException(collection: Collection, { name, fields }: Change): boolean {
  if (!name.startsWith(EXCEPTION_PREFIX)) return false;
  return fields ? isExceptionVisible(collection, fields) : !collection.restriction?.hidesFields;
}

/** Whether a change concerns a document's files, lock or number; no field can have such a name. */
function isOfDocument(name: string): boolean {
  return name.startsWith('document.');
}
