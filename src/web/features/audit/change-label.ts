import { labelAndName } from '#messages/labels.ts';
import * as texts from '#messages/audit.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import { recordChangeLabel } from '#web/fields/history/entry-changes.ts';
import type { AuditNames, CollectionLabels } from './audit-names.ts';

/** The archive or table that an entry is about; undefined: none, or one that is unknown. */
export function collectionOf(
  { archive, table }: Pick<AuditEntry, 'archive' | 'table'>,
  { collections }: AuditNames,
): CollectionLabels | undefined {
  if (archive !== undefined) return collections.get(`archive ${archive}`);
  return table === undefined ? undefined : collections.get(`table ${table}`);
}

/** What changed, in words: the label of a field, or what the history names. Unknown names stay as they are. */
export function changeLabel(
  entry: Pick<AuditEntry, 'subject' | 'archive' | 'table'>,
  name: string,
  names: AuditNames,
): string {
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
export function changeLabelWithName(
  entry: Pick<AuditEntry, 'subject' | 'archive' | 'table'>,
  name: string,
  names: AuditNames,
): string {
  const label = changeLabel(entry, name, names);
  const isField = collectionOf(entry, names)?.fields.has(name) === true;
  return isField && label !== name ? labelAndName({ label, name }) : label;
}
