/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp, type RenderOptions } from '#tests/support/render-app.tsx';
import { editor } from './desk.tsx';

const service = await openApp(testDatabases('sqlite').open);
const { app, database } = service;
await buildUser(database, { username: 'anna', displayName: 'Anna', role: 'administrator' });
const root = await service.signedIn('anna');

const suppliers = await buildTable(database, [{ name: 'SNO' }, { name: 'NAME' }]);
await buildRecords(database, suppliers, [['7', 'Acme']]);

const FIELDS = [
  { name: 'NET', label: 'Net', type: 'decimal', scale: 2 },
  { name: 'VAT', label: 'VAT', type: 'decimal', scale: 2 },
  { name: 'TOTAL', label: 'Total', type: 'decimal', scale: 2 },
  { name: 'ISSUED', label: 'Issued', type: 'date' },
  { name: 'DUE', label: 'Due', type: 'date' },
  { name: 'NOTE', label: 'Note' },
  {
    name: 'SNO',
    label: 'Supplier number',
    optionsFrom: { table: suppliers.name, column: 'SNO', fills: { SUPPLIER: 'NAME' } },
  },
  { name: 'SUPPLIER', label: 'Supplier' },
];
const CHECKS = [
  { name: 'SUM', label: 'Net and VAT do not give the total', rule: 'NET + VAT = TOTAL' },
  { name: 'RATE', label: 'VAT above net', rule: 'VAT <= NET' },
  { name: 'DUE', label: 'Due too early', rule: 'DUE >= ISSUED', severity: 'block' },
  { name: 'KNOWN', label: 'Unknown supplier', rule: `SUPPLIER in ${suppliers.name}.NAME` },
];
let archive: Archive;
beforeEach(async () => {
  localStorage.clear();
  archive = await buildArchive(database, FIELDS, [], { checks: CHECKS });
  await buildRecords(database, archive, [
    [1751.6, 332.8, 2048.4, '2026-01-01', '2026-02-01', 'a'],
    [19, 100, 119, '2026-01-01', '2025-02-01', 'b'],
    [100, 19, 119, '2026-01-01', '2026-02-01', 'c', '7', 'Acne'],
  ]);
});

async function open(id: string, network?: RenderOptions['network']) {
  const page = await renderApp(app, `/archives/${archive.name}?selected=${id}`, {
    as: { username: 'anna', password: PASSWORD },
    network,
  });
  const form = await screen.findByRole('region', { name: `Form of revision ${id}` });
  await within(form).findByRole('textbox', { name: /^Net/ });
  const writes = () =>
    page.service.calls.filter(({ method, url }) => method !== 'GET' && !url.includes('/viewers?'));
  return { ...page, form, writes };
}
const stored = async (id: string) => {
  const path = `application/archiveapp/archives/${archive.name}/documents/${id}`;
  const { body, headers } = await root.get(path);
  return { body, etag: headers['etag'] };
};

/** What the border of an editor says. */
const severityOf = (input: HTMLElement) =>
  input.closest<HTMLElement>('[data-severity]')?.dataset['severity'];

describe('What checks find', () => {
  it('is at the fields while one types, with the values that follow from the rule', async () => {
    const { user, form, writes } = await open('1');
    const sum = 'Net and VAT do not give the total';
    expect(await within(form).findAllByText(sum)).toHaveLength(3);
    const button = await within(form).findByRole('button', {
      name: 'Total = Net + VAT: 2,084.40',
    });
    const total = editor(form, 'Total');
    expect(severityOf(total)).toBe('warn');
    await user.clear(total);
    await user.type(total, '2084.4');
    await waitFor(() => expect(within(form).queryByText(sum)).toBeNull());
    expect(severityOf(total)).toBeUndefined();
    await user.type(total, '5');
    expect(await within(form).findAllByText(sum)).toHaveLength(3);
    expect(button.isConnected).toBe(false);
    await user.click(
      await within(form).findByRole('button', { name: 'Total = Net + VAT: 2,084.40' }),
    );
    expect(total).toHaveProperty('value', '2084.40');
    expect(document.activeElement).toBe(total);
    expect(writes()).toEqual([]);
  });

  /** What a clerk presses to apply the first suggestion and to save; a chord is one key. */
  async function correctByKeys(user: Awaited<ReturnType<typeof open>>['user']): Promise<number> {
    let keys = 0;
    const count = ({ key }: KeyboardEvent) => (keys += key === 'Control' ? 0 : 1);
    window.addEventListener('keydown', count, { capture: true });
    await user.keyboard('{Control>}.{/Control}');
    await user.keyboard('{Control>}{Enter}{/Control}');
    window.removeEventListener('keydown', count, { capture: true });
    return keys;
  }

  it.each([
    {
      what: 'two amounts are swapped',
      id: '2',
      field: 'Net',
      suggestion: 'Swap Net and VAT',
      saved: [
        { name: 'NET', value: 100 },
        { name: 'VAT', value: 19 },
      ],
    },
    {
      what: 'a sum gives the value',
      id: '1',
      field: 'Total',
      suggestion: 'Total = Net + VAT: 2,084.40',
      saved: [{ name: 'TOTAL', value: 2084.4 }],
    },
    {
      what: 'the table of another field has the value',
      id: '3',
      field: 'Supplier',
      suggestion: 'Fill from Supplier number: Acme',
      saved: [{ name: 'SUPPLIER', value: 'Acme' }],
    },
  ])(
    'is corrected with two keys, where $what',
    { tags: ['long'] },
    async ({ id, field, suggestion, saved }) => {
      const { user, form, writes } = await open(id);
      const all = await within(form).findAllByRole('button', { name: suggestion });
      expect(all.length).toBeGreaterThan(0);
      editor(form, field).focus();
      expect(await correctByKeys(user)).toBe(2);
      await waitFor(() => expect(writes()).toHaveLength(1));
      expect(writes()).toMatchObject([{ body: { indexFields: saved } }]);
    },
  );

  it('refuses a save where the check blocks and one of its fields is changed', async () => {
    const { user, form, writes } = await open('2');
    await user.type(editor(form, 'Note'), '1');
    await user.keyboard('{Control>}s{/Control}');
    await within(form).findByText('Nothing changed');
    const due = editor(form, 'Due');
    await user.clear(due);
    await user.type(due, '2025-03-01');
    expect(await within(form).findAllByText(/It cannot be saved like this/)).toHaveLength(2);
    expect(due.getAttribute('aria-invalid')).toBe('true');
    expect(severityOf(due)).toBe('block');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Issued')));
    expect(writes()).toHaveLength(1);
    await user.clear(due);
    await user.type(due, '2026-03-01');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(writes()).toHaveLength(2));
  });

  it('is excepted, also where an earlier read is answered after the exception', async () => {
    const answers = Promise.withResolvers<void>();
    let isHeld = false;
    let reads = 0;
    const { user, form, writes, queryClient } = await open('1', ({ fetch }) =>
      vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
        const answer = await fetch(input, init);
        const url = input instanceof Request ? input.url : String(input);
        if (isHeld && (init?.method ?? 'GET') === 'GET' && url.endsWith('/documents/1')) {
          reads += 1;
          await answers.promise;
        }
        return answer;
      }),
    );
    isHeld = true;
    await user.type(editor(form, 'Note'), 'x');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(reads).toBe(1));
    await user.click(await within(form).findByRole('button', { name: 'Right as it is…' }));
    const dialog = await screen.findByRole('dialog', { name: 'This is right as it is' });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'a gift{Enter}');
    await within(form).findByText(/right as it is, says Anna/);
    answers.resolve();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await user.type(editor(form, 'Note'), 'y');
    await user.keyboard('{Control>}s{/Control}');
    await within(form).findByText('Nothing changed');
    expect(within(form).getByText(/right as it is, says Anna/)).toBeTruthy();
    expect(writes().map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"', '"3"']);
  });

  it(
    'can be excepted with a reason, and the form continues with the new version',
    { tags: ['long'] },
    async () => {
      const { user, form, writes } = await open('1');
      await user.type(editor(form, 'Note'), 'x');
      await user.click(await within(form).findByRole('button', { name: 'Right as it is…' }));
      const dialog = await screen.findByRole('dialog', { name: 'This is right as it is' });
      await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'a gift{Enter}');
      expect(await within(form).findByText(/right as it is, says Anna, .*“a gift”/)).toBeTruthy();
      expect(within(form).queryByText('Net and VAT do not give the total')).toBeNull();
      expect(await stored('1')).toMatchObject({ etag: '"2"', body: { meta: { findings: [] } } });
      await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Net')));
      expect(editor(form, 'Note')).toHaveProperty('value', 'ax');
      await user.keyboard('{Control>}s{/Control}');
      await within(form).findByText('Nothing changed');
      expect(writes().at(-1)).toMatchObject({ method: 'PATCH', status: 200 });
      await user.click(within(form).getByRole('button', { name: 'Remove the exception' }));
      expect(await within(form).findAllByText('Net and VAT do not give the total')).toHaveLength(3);
    },
  );
});
