import type { AuditEntry } from '#shared/contract/audit.ts';
import { toStored } from '#web/fields/history/entry-changes.ts';
import { StructureChangeItems } from '#web/fields/history/structure-change.tsx';
import { ValueChange } from '#web/fields/value-change.tsx';
import type { AuditNames } from './audit-names.ts';
import { changeLabelWithName } from './change-label.ts';
import { definitionContent } from './definition-content.ts';

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
    const [old, now] = [definitionContent(before), definitionContent(after)];
    return <StructureChangeItems label={null} before={old} after={now} />;
  }
  if (!name.startsWith('right.')) {
    return <StructureChangeItems label={label} property={name} before={before} after={after} />;
  }
  const [old, now] = [rightWithFields(before), rightWithFields(after)];
  return <StructureChangeItems label={label} before={old} after={now} />;
}

/** A right without fields is stored as its name. */
function rightWithFields(right: unknown): unknown {
  return typeof right === 'string' ? { right } : right;
}
