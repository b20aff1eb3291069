import type { AuditEntry } from '#shared/contract/audit.ts';
import { toStored } from '#web/fields/history/entry-changes.ts';
import { StructureChangeItems } from '#web/fields/history/structure-change.tsx';
import { ValueChange } from '#web/fields/value-change.tsx';
import type { AuditNames } from './audit-names.ts';
import { changeLabelWithName } from './change-label.ts';

interface EntryChangeProps {
  readonly entry: AuditEntry;
  readonly change: AuditEntry['changes'][number];
  readonly names: AuditNames;
}

/** One change of an entry as list items: the value of a record, or what differs in a definition, user or right. */
export function AuditChange({ entry, change: { name, before, after }, names }: EntryChangeProps) {
  const label = changeLabelWithName(entry, name, names);
  const { subject } = entry;
  if (subject === 'archive' || subject === 'table') {
    const values = { before: toStored(before), after: toStored(after) };
    return (
      <li>
        <ValueChange label={label} rules={undefined} {...values} />
      </li>
    );
  }
  if (subject === 'definition' && name === 'definition') {
    const [old, now] = [contentOf(before), contentOf(after)];
    return <StructureChangeItems label={null} before={old} after={now} />;
  }
  if (!name.startsWith('right.')) {
    return <StructureChangeItems label={label} property={name} before={before} after={after} />;
  }
  const [old, now] = [rightWithFields(before), rightWithFields(after)];
  return <StructureChangeItems label={label} before={old} after={now} />;
}

/** The definition as in a definition file, with the retired fields, without what else the service stores beside it. */
function contentOf(stored: unknown): unknown {
  const definition = valueAt(stored, 'definition');
  if (definition === undefined || definition === null) return null;
  return {
    ...definition,
    retiredFields: retiredOf(valueAt(stored, 'retiredFields')),
    retiredKeywordFields: retiredOf(valueAt(stored, 'retiredKeywordFields')),
  };
}

/** Without those whose values another field shows. */
function retiredOf(stored: unknown): unknown {
  if (!Array.isArray(stored)) return [];
  const shown = stored.filter((one) => valueAt(one, 'isSuperseded') !== true);
  return shown.map((one) => valueAt(one, 'field'));
}

function valueAt(structure: unknown, key: string): unknown {
  return Reflect.get(Object(structure), key);
}

/** A right without fields is stored as its name. */
function rightWithFields(right: unknown): unknown {
  return typeof right === 'string' ? { right } : right;
}
