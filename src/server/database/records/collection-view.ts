import type { IndexField } from '#shared/rules/definitions.ts';
import { listColumns, withCheckColumns } from '#shared/rules/lists.ts';
import { findByName, isSameName, keywordNameIn } from '#shared/rules/names.ts';
import type { EffectiveRight } from '#shared/rules/rights.ts';
import type { Check, CheckPart } from './check.ts';
import { EXCEPTION_PREFIX } from './check-exceptions.ts';
import type { Collection } from './collection.ts';
import type { StoredRecord } from './record.ts';

type Restricted = EffectiveRight['restricted'];

/** By the restrictions; statements and caches belong to a view like to any other collection. */
const views = new WeakMap<Collection, Map<string, Collection>>();

/**
 * An archive or table as a user may see it: without hidden fields, and with read-only fields marked. Everything that is
 * read and answered through it leaves out what the user must not see. Equal restrictions return the same object.
 * @param restricted by the numbers of fields and keyword fields
 * @returns the collection itself if nothing is restricted
 */
export function viewOf<Seen extends Collection>(collection: Seen, restricted: Restricted): Seen;
export function viewOf(collection: Collection, restricted: Restricted): Collection {
  if (restricted.size === 0) return collection;
  const key = [...restricted].map(([number, access]) => `${number} ${access}`).join();
  const known = views.get(collection) ?? new Map<string, Collection>();
  views.set(collection, known);
  const view = known.get(key) ?? makeView(collection, restricted);
  known.set(key, view);
  return view;
}

function makeView(collection: Collection, restricted: Restricted): Collection {
  const isVisible = ({ number }: { readonly number: number }) =>
    restricted.get(number) !== 'hidden';
  const restriction = {
    fieldIndexes: indexesOf(collection.fields, isVisible),
    keywordFieldIndexes: indexesOf(collection.keywordFields, isVisible),
    hidesFields: [...restricted.values()].includes('hidden'),
    readOnly: new Set(
      [...restricted].flatMap(([number, access]) => (access === 'read' ? [number] : [])),
    ),
  };
  const fields = withoutHiddenFills(collection.fields.filter(isVisible));
  const keywordFields = collection.keywordFields.filter(isVisible);
  const checks = visibleChecks(collection.checks, fields);
  return {
    ...collection,
    checks,
    fields,
    keywordFields,
    uniqueTogether: collection.uniqueTogether.filter((names) =>
      names.every((name) => findByName(fields, name)),
    ),
    listColumns: withCheckColumns(
      listColumns(collection.kind === 'archive' ? 'revisionId' : 'jrid', fields, keywordFields),
      checks.map(({ name }) => name),
    ),
    restriction: { ...restriction, fullCollection: collection },
  };
}

function indexesOf<Field>(
  fields: readonly Field[],
  isVisible: (field: Field) => boolean,
): number[] {
  return fields.flatMap((field, index) => (isVisible(field) ? [index] : []));
}

/** A check that names or marks a hidden field is left out; a built-in check keeps its conditions on the other fields. */
function visibleChecks(
  checks: readonly Check[],
  fields: readonly { readonly name: string }[],
): Check[] {
  const isVisible = ({ uses, fields: marked }: Pick<Check, 'uses' | 'fields'>) =>
    [...uses, ...marked].every((name) => findByName(fields, name));
  return checks.flatMap((check) => {
    if (isVisible(check)) return [check];
    if (check.definition) return [];
    const parts = check.parts.filter(isVisible);
    const namesOf = (of: (part: CheckPart) => readonly string[]) => [...new Set(parts.flatMap(of))];
    return [
      {
        ...check,
        parts,
        fields: namesOf((part) => part.fields),
        uses: namesOf((part) => part.uses),
        hidesParts: true as const,
      },
    ];
  });
}

/** Removes hidden fields from those that choosing an option fills. */
function withoutHiddenFills<Field extends IndexField>(fields: readonly Field[]): Field[] {
  return fields.map((field) => {
    if (!field.optionsFrom) return field;
    const fills = Object.entries(field.optionsFrom.fills).filter(([name]) =>
      findByName(fields, name),
    );
    return { ...field, optionsFrom: { ...field.optionsFrom, fills: Object.fromEntries(fills) } };
  });
}

/** Whether a field or keyword field of a view may be changed. */
export function isWritable(
  { restriction }: Collection,
  { number }: { readonly number: number },
): boolean {
  return !restriction?.readOnly.has(number);
}

/** The archive or table with all its fields: records are written with the values of all of them. */
export function fullCollectionOf<Seen extends Collection>(collection: Seen): Seen;
export function fullCollectionOf(collection: Collection): Collection {
  return collection.restriction?.fullCollection ?? collection;
}

/** The numbers of the fields of an archive or table, also of those from which they were converted. */
export function fieldNumbersOf({ fields, keywordFields }: Collection): ReadonlySet<number> {
  return new Set(
    [...fields, ...keywordFields].flatMap(({ number, formerNumbers }) => [
      number,
      ...formerNumbers,
    ]),
  );
}

/** The record of a full collection as a view shows it: without hidden values. */
export function narrowRecord<State extends Pick<StoredRecord, 'values' | 'keywords'>>(
  { restriction }: Collection,
  record: State,
): State {
  if (!restriction?.hidesFields) return record;
  const { fieldIndexes, keywordFieldIndexes } = restriction;
  return {
    ...record,
    values: fieldIndexes.map((index) => record.values[index] ?? null),
    keywords: keywordFieldIndexes.map((index) => record.keywords[index] ?? []),
  };
}

/**
 * Whether a user may see a field by the name that history entries and filters use: a field, `keyword.NAME`, or another
 * name, which everybody may see.
 */
export function isNameVisible(
  { fields, keywordFields, checks, restriction }: Collection,
  name: string,
) {
  if (!restriction?.hidesFields) return true;
  const { fullCollection } = restriction;
  if (name.startsWith(EXCEPTION_PREFIX)) {
    const check = name.slice(EXCEPTION_PREFIX.length);
    return Boolean(findByName(checks, check)) || !findByName(fullCollection.checks, check);
  }
  const keyword = keywordNameIn(name);
  if (keyword === null) {
    return Boolean(findByName(fields, name)) || !findByName(fullCollection.fields, name);
  }
  const isNamed = (field: { readonly name: string }) => isSameName(field.name, keyword);
  return keywordFields.some(isNamed) || !fullCollection.keywordFields.some(isNamed);
}

/**
 * Whether a user may see an exception from a check. If fields are hidden from the user, all fields of the exception
 * must be known and visible: the check may have been deleted, or another check may have its name.
 * @param numbers of these fields
 */
export function isExceptionVisible(
  { fields, restriction }: Collection,
  numbers: readonly number[],
): boolean {
  if (!restriction?.hidesFields) return true;
  const isKnown = (wanted: number) =>
    fields.some(({ number, formerNumbers }) => [number, ...formerNumbers].includes(wanted));
  return numbers.every(isKnown);
}
