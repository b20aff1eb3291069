import { expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/audit.ts';
import type { AuditNames } from '#web/features/audit/audit-names.ts';
import { changeLabel, changeLabelWithName } from '#web/features/audit/change-label.ts';
import { actionText, detailText, subjectText } from '#web/features/audit/event-text.ts';

const INVOICES = {
  label: 'Invoices',
  fields: new Map([
    ['NET', 'Net'],
    ['keyword.TAG', 'Tags'],
  ]),
};
const NAMES: AuditNames = {
  collections: new Map([
    ['archive INVOICES', INVOICES],
    ['table SUPPLIERS', { label: 'Suppliers', fields: new Map() }],
  ]),
  groups: new Map([['DE', 'Germany']]),
  people: new Map([['ben', 'Ben Miller']]),
};

type Named = Partial<Pick<AuditEntry, 'action' | 'archive' | 'table' | 'id'>>;

function entryOf(
  subject: AuditEntry['subject'],
  of: Named,
  changed: readonly string[] = [],
): AuditEntry {
  return {
    historyId: '1',
    at: '2026-01-02T03:04:05.000Z',
    user: 'ben',
    kind: 'data',
    subject,
    action: 'change',
    id: null,
    call: 'PATCH any',
    address: null,
    changes: changed.map((name) => ({ name, before: null, after: 1 })),
    ...of,
  };
}

it('Entries of the audit name fields, people, groups, archives and properties by their labels', () => {
  const record = entryOf('archive', { archive: 'INVOICES', id: '7' }, [
    'NET',
    'keyword.TAG',
    'document.files',
    'checks.SUM',
    'GONE',
  ]);
  expect(subjectText(record, NAMES)).toBe('Invoices 7');
  expect(detailText(record, NAMES)).toBe('Net, Tags, Files, Exception from SUM, GONE');
  expect(changeLabelWithName(record, 'NET', NAMES)).toBe('Net (NET)');
  expect(changeLabelWithName(record, 'document.files', NAMES)).toBe('Files');

  const created = entryOf('definition', { archive: 'INVOICES', action: 'create' }, ['position']);
  expect(detailText(created, NAMES)).toBe('');

  const user = entryOf('user', { id: 'ben' }, ['displayName', 'group.DE', 'factor.3']);
  expect(subjectText(user, NAMES)).toBe('User Ben Miller');
  expect(detailText(user, NAMES)).toBe('Name, Group Germany, Second factor');
  const group = entryOf('group', { id: 'DE' }, ['right.archive.INVOICES', 'right.table.SUPPLIERS']);
  expect(subjectText(group, NAMES)).toBe('Group Germany');
  expect(detailText(group, NAMES)).toBe('Right on Invoices, Right on Suppliers');
  expect(changeLabel(group, 'right.table.GONE', NAMES)).toBe('Right on GONE');

  const changed = entryOf('definition', { archive: 'INVOICES' }, ['definition']);
  expect(subjectText(changed, NAMES)).toBe('Definition of Invoices');
  expect(detailText(changed, NAMES)).toBe('');

  const purge = entryOf('definition', { action: 'purge', archive: 'INVOICES' }, ['purge']);
  expect(`${actionText(purge)} ${subjectText(purge, NAMES)}`).toBe(
    'Permanently deleted Definition of Invoices',
  );
});

it('Entries of the audit say which fields of a definition have changed, by their labels', () => {
  const [net, due, vat] = ['NET', 'DUE', 'VAT'].map((name) => ({ name, label: name }));
  const tag = { name: 'TAG', label: 'Tags' };
  const before = {
    definition: { name: 'Bills', indexFields: [net, due, vat], keywordFields: [tag], checks: [] },
    nextNumber: 5,
  };
  const detailOf = (changed: object, retiredFields: readonly object[] = []) => {
    const after = { definition: { ...before.definition, ...changed }, retiredFields };
    const entry = entryOf('definition', { archive: 'INVOICES' });
    const changes = [{ name: 'definition', before, after }];
    return detailText({ ...entry, changes }, NAMES);
  };
  expect(detailOf({ name: 'Invoices', keywordFields: [{ ...tag, label: 'Words' }] })).toBe(
    'Name, Tags',
  );
  expect(detailOf({ indexFields: [{ ...net, required: true, label: 'Net' }, due, vat] })).toBe(
    'Net',
  );
  expect(detailOf({ indexFields: [due, net] }, [{ field: vat, number: 3 }])).toBe(
    'VAT, Fields · Order',
  );
  expect(detailOf({ checks: [{ name: 'NET', rule: 'NET > 0' }] })).toBe('NET');

  const created = entryOf('definition', { archive: 'INVOICES', action: 'create' });
  const changes = [{ name: 'definition', before: null, after: before }];
  expect(detailText({ ...created, changes }, NAMES)).toBe('');
});
