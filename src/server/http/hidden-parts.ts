import type { Collection } from '#server/database/records/collection.ts';
import { isSameName } from '#shared/rules/names.ts';
import {
  CONDITION,
  fieldOfEntry,
  LISTS,
  type Parameter,
  readParameters,
  writeParameters,
} from './query-fields.ts';
import { visibleQuery, visibleValue } from './visible-query.ts';

interface StoredParameter extends Parameter {
  /** what the user sees of its value; null: nothing of the parameter */
  readonly shown: string | null;
}

/** An entry of a stored query. */
interface StoredEntry<Entry> {
  readonly entry: Entry;
  readonly isHidden: boolean;
}

/** The number of a repeated condition. */
const NUMBER = /(?<=\])\[\d+\]$/u;
const GROUP = /^or\[(?<group>[^[\]]*)\]/u;

/**
 * The query of a list that a user from whom fields are hidden stores in place of another one: with the parts of that one
 * which the user does not see (`visibleQuery`), each after the part that it followed. Hidden columns end with the choice
 * of columns, hidden checks with their condition, and hidden alternatives with those that the user saw.
 * @param stored percent-encoded, with or without `?`
 * @param sent the same
 */
export function withHiddenParts(collection: Collection, stored: string, sent: string): string {
  const shown = visibleQuery(collection, stored);
  if (shown === stored) return sent;
  if (shown === sent) return stored;
  const before = readParameters(stored).map((parameter): StoredParameter => ({
    ...parameter,
    shown: visibleValue(collection, parameter),
  }));
  const after = readParameters(sent);
  const kept = before.map((parameter) => {
    const entry = hiddenPart(collection, parameter, before, after);
    return entry ? { entry, isHidden: true } : { entry: parameter, isHidden: false };
  });
  const given = after.map((parameter) => withHiddenValues(collection, parameter, before));
  return writeParameters(withDistinctNames(restoreHiddenEntries(kept, given, isSameParameter)));
}

/** Puts hidden entries among those that were sent, each after the one that it followed. */
function restoreHiddenEntries<Entry>(
  stored: readonly StoredEntry<Entry>[],
  sent: readonly Entry[],
  isSame: (one: Entry, other: Entry) => boolean,
): Entry[] {
  const result = [...sent];
  let at = 0;
  for (const { entry, isHidden } of stored) {
    const found = result.findIndex((one) => isSame(one, entry));
    if (found >= 0) at = found + 1;
    else if (isHidden) result.splice(at++, 0, entry);
  }
  return result;
}

/** Conditions may be repeated with other values; of other parameters the one that was sent counts. */
function isSameParameter(one: Parameter, other: Parameter): boolean {
  return baseOf(one) === baseOf(other) && (!CONDITION.test(one.name) || one.value === other.value);
}

function baseOf({ name }: Pick<Parameter, 'name'>): string {
  return name.replace(NUMBER, '');
}

/**
 * The hidden part of a stored parameter, as a separate parameter; null: it has no hidden part, or that part is not
 * valid alone.
 */
function hiddenPart(
  collection: Collection,
  { name, value, shown }: StoredParameter,
  before: readonly StoredParameter[],
  after: readonly Parameter[],
): Parameter | null {
  if (shown !== null) {
    const hidden = entriesOf(collection, value).filter(({ isHidden }) => isHidden);
    const staysAlone = (name === 'sort' || name === 'widths') && hidden.length > 0;
    return staysAlone ? { name, value: hidden.map(({ entry }) => entry).join(',') } : null;
  }
  const group = groupOf(name);
  if (group === undefined) return { name, value };
  const now = groupNow(group, before, after);
  return now === undefined ? null : { name: name.replace(GROUP, `or[${now}]`), value };
}

/**
 * The group of the sent query to which the hidden alternatives of a stored group belong; undefined: the query no longer
 * has this group.
 */
function groupNow(
  group: string,
  before: readonly StoredParameter[],
  after: readonly Parameter[],
): string | undefined {
  const visible = before.filter(({ name, shown }) => groupOf(name) === group && shown !== null);
  if (visible.length > 0) {
    const found = after.find((one) =>
      visible.some((other) => one.value === other.shown && conditionOf(one) === conditionOf(other)),
    );
    return found && groupOf(found.name);
  }
  const taken = after.map(({ name }) => groupOf(name));
  if (!taken.includes(group)) return group;
  taken.push(...before.map(({ name }) => groupOf(name)));
  let free = 1;
  while (taken.includes(String(free))) free++;
  return String(free);
}

/** Its field and operator, in whatever group. */
function conditionOf(parameter: Parameter): string {
  return baseOf(parameter).replace(GROUP, '');
}

function groupOf(name: string): string | undefined {
  return GROUP.exec(name)?.groups?.['group'];
}

/** A parameter that was sent, with what is hidden in the value of the stored one. */
function withHiddenValues(
  collection: Collection,
  parameter: Parameter,
  before: readonly StoredParameter[],
): Parameter {
  const { name, value } = parameter;
  const stored = before.find((one) => baseOf(one) === baseOf(parameter));
  if (!stored) return parameter;
  if (!LISTS.includes(name)) {
    const same = before.find((one) => baseOf(one) === baseOf(parameter) && one.shown === value);
    return same ? { name, value: same.value } : parameter;
  }
  const entries = restoreHiddenEntries(
    entriesOf(collection, stored.value),
    value.split(','),
    isSameEntry,
  );
  return { name, value: entries.join(',') };
}

function isSameEntry(one: string, other: string): boolean {
  return isSameName(fieldOfEntry(one), fieldOfEntry(other));
}

/** The entries of a list of fields. */
function entriesOf(collection: Collection, list: string): StoredEntry<string>[] {
  return list.split(',').map((entry) => ({
    entry,
    isHidden: visibleValue(collection, { name: 'sort', value: entry }) === null,
  }));
}

/** Repeated conditions with numbers: the web admin’s addresses need distinct names. */
function withDistinctNames(parameters: readonly Parameter[]): Parameter[] {
  const taken = new Set<string>();
  return parameters.map((parameter) => {
    let { name } = parameter;
    for (let number = 1; taken.has(name) && CONDITION.test(name); number++) {
      name = `${baseOf(parameter)}[${number}]`;
    }
    taken.add(name);
    return { name, value: parameter.value };
  });
}
