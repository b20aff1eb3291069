import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/audit.ts';
import { AuditChange } from '#web/features/audit/entry-change.tsx';
import type { AuditNames } from '#web/features/audit/audit-names.ts';

const NAMES: AuditNames = { collections: new Map(), groups: new Map(), people: new Map() };

/** The text that the audit shows for a change. */
function textOf(
  subject: AuditEntry['subject'],
  change: AuditEntry['changes'][number],
): readonly (string | null)[] {
  const entry: AuditEntry = {
    historyId: '1',
    at: '2026-01-02T03:04:05.000Z',
    user: 'ben',
    kind: 'definition',
    subject,
    action: 'change',
    id: null,
    call: 'PUT any',
    address: null,
    changes: [change],
  };
  const { unmount } = render(
    <ul>
      <AuditChange entry={entry} change={change} names={NAMES} />
    </ul>,
  );
  const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  unmount();
  return texts;
}

it('shows a retired field of a definition, and what else changed in it', () => {
  const [net, vat] = [
    { name: 'NET', label: 'Net' },
    { name: 'VAT', label: 'VAT' },
  ];
  const stored = (indexFields: unknown[], retiredFields: unknown[]) => ({
    definition: { indexFields },
    retiredFields,
    nextNumber: 3,
  });
  const change = { name: 'definition', before: stored([net, vat], []) };
  const after = stored([{ ...net, label: 'Net amount' }], [{ field: vat, number: 2 }]);
  expect(textOf('definition', { ...change, after })).toEqual([
    expect.stringMatching(/Fields · NET · Label.*Net.*amount/),
    expect.stringMatching(/Fields · VAT.*Label: VAT/),
    expect.stringMatching(/Retired fields · VAT.*Label: VAT/),
  ]);
  const renamed = stored([], [{ field: { ...vat, name: 'TAX' }, number: 2 }]);
  const before = stored([], [{ field: vat, number: 2 }]);
  expect(textOf('definition', { name: 'definition', before, after: renamed })).toHaveLength(2);
});

it('shows rights and the access to fields in words', () => {
  const change = {
    name: 'right.archive.INVOICES',
    before: 'read',
    after: { right: 'write', fields: { NET: 'hidden' } },
  };
  expect(textOf('user', change)).toEqual([
    expect.stringMatching(/Right.*Read.*Write/),
    expect.stringMatching(/NET.*Hidden/),
  ]);
});
