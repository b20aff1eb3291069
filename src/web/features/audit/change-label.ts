import { labelAndName } from '#messages/labels.ts';
import * as texts from '#messages/audit.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import { recordChangeLabel } from '#web/fields/history/entry-changes.ts';
import { structureChanges } from '#web/fields/history/structure-changes.ts';
import type { AuditNames, CollectionLabels } from './audit-names.ts';
import { definitionContent } from './definition-content.ts';

type EntryAbout = Pick<AuditEntry, 'subject' | 'archive' | 'table'>;

/** The archive or table that an entry is about; undefined: none, or one that is unknown. */
export function collectionOf(
  { archive, table }: Pick<AuditEntry, 'archive' | 'table'>,
  { collections }: AuditNames,
): CollectionLabels | undefined {
  if (archive !== undefined) return collections.get(`archive ${archive}`);
  return table === undefined ? undefined : collections.get(`table ${table}`);
}

/** What changed, in words: the label of a field, or what the history names. Unknown names stay as they are. */
export function changeLabel(entry: EntryAbout, name: string, names: AuditNames): string {
  const { subject } = entry;
  if (subject === 'archive' || subject === 'table') {
    return collectionOf(entry, names)?.fields.get(name) ?? recordChangeLabel(name);
  }
  const known: ReadonlyMap<string, string> = new Map(Object.entries(texts.changeNames[subject]));
  const label = known.get(name);
  if (label !== undefined) return label;
  const [what, ...rest] = name.split('.');
  const [first = ''] = rest;
  if (what === 'group') return texts.groupOf(names.groups.get(rest.join('.')) ?? rest.join('.'));
  if (what === 'factor') return texts.secondFactor;
  if (what !== 'right') return name;
  const key = rest.slice(1).join('.');
  return texts.rightOn(names.collections.get(`${first} ${key}`)?.label ?? key);
}

/**
 * As `changeLabel`, followed by the internal name of a field (for programs and the filter) if it differs from the
 * label.
 */
export function changeLabelWithName(entry: EntryAbout, name: string, names: AuditNames): string {
  const label = changeLabel(entry, name, names);
  const isField = collectionOf(entry, names)?.fields.has(name) === true;
  return isField && label !== name ? labelAndName({ label, name }) : label;
}

/** What a change of a definition changed: fields by their labels, checks by their names, and properties. */
export function definitionChangeLabels(
  entry: EntryAbout,
  { before, after }: Pick<AuditEntry['changes'][number], 'before' | 'after'>,
  names: AuditNames,
): string[] {
  const [old, now] = [definitionContent(before), definitionContent(after)];
  // That it was created is said by the action.
  if (old === null || now === null) return [];
  const fields = collectionOf(entry, names)?.fields;
  return structureChanges(old, now).map(({ path, keys: [list = ''], ...change }) => {
    const [, name] = path;
    // Of a list without an entry, such as the fields, only the order differs.
    if (name === undefined || change.before === undefined) return path.join(' · ');
    switch (list) {
      case 'checks':
        return name;
      case 'keywordFields':
      case 'retiredKeywordFields':
        return fields?.get(keywordFieldName(name)) ?? name;
      default:
        return fields?.get(name) ?? name;
    }
  });
}
