/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { giveLocks } from '../give-locks.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

giveLocks();
const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it(
  'An administrator makes columns unique together, which follow the new name of one',
  { tags: ['long'] },
  async () => {
    const table = await buildTable(database, [
      { name: 'SNO', label: 'Supplier' },
      { name: 'INVOICENO', label: 'Invoice' },
    ]);
    await buildRecords(database, table, [
      ['1', 'A'],
      ['1', 'B'],
    ]);
    const { user } = await renderApp(app, `/administration/tables/${table.guid}`, {
      as: { username: 'anna', password: PASSWORD },
    });
    const together = await screen.findByLabelText<HTMLTextAreaElement>('Unique together');

    await user.type(together, 'SNO, NUMBER');
    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await waitFor(() => expect(together.getAttribute('aria-invalid')).toBe('true'));

    await user.clear(together);
    await user.type(together, 'SNO, INVOICENO');

    // The error of a column that is not selected is shown at its input, and does not stay after its cause.
    const nameIn = (column: string) =>
      within(screen.getByRole('group', { name: column })).getByRole('textbox', { name: /^Name/ });
    const supplier = nameIn('Supplier');
    await user.clear(supplier);
    await user.type(supplier, 'INVOICENO');
    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByRole('group', { name: 'Invoice' });
    await waitFor(() => expect(document.activeElement).toBe(nameIn('Invoice')));
    expect(nameIn('Invoice').getAttribute('aria-invalid')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Supplier' }));
    await user.clear(nameIn('Supplier'));
    await user.type(nameIn('Supplier'), 'SNO');

    await user.click(screen.getByRole('button', { name: 'Invoice' }));
    await screen.findByRole('group', { name: 'Invoice' });
    const name = nameIn('Invoice');
    await user.clear(name);
    await user.type(name, 'NUMBER');
    await user.tab();
    expect(together.value).toBe('SNO, NUMBER');

    // A new column is named after its label.
    await user.click(screen.getByRole('button', { name: 'Add column' }));
    const added = within(await screen.findByRole('group', { name: 'Field 3' }));
    await user.clear(added.getByLabelText('Label'));
    await user.type(added.getByLabelText('Label'), 'Gültig bis');
    await user.tab();
    const addedName = added.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    expect(addedName.value).toBe('GULTIG_BIS');
    await user.click(added.getByRole('button', { name: 'Remove' }));
    await user.click(screen.getByRole('button', { name: 'Invoice' }));

    const length = within(screen.getByRole('group', { name: 'Invoice' })).getByLabelText(
      'Maximum length',
    );
    await user.type(length, 'ten');
    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await waitFor(() => expect(length.getAttribute('aria-invalid')).toBe('true'));
    await user.clear(length);

    // What is typed is kept when someone else has changed the definition, and what the other has changed, too.
    const other = await signedIn('anna');
    const path = `configuration/tables/${table.guid}`;
    const { body, headers } = await other.get(path);
    const [current] = definedTablesAnswer.parse(body).tables;
    const changed = await other.put(
      path,
      {
        table: {
          ...current,
          description: 'Changed meanwhile',
          columns: [...(current?.columns ?? []), { name: 'ADDED', label: 'Added', type: 'text' }],
        },
      },
      { headers: { 'if-match': String(headers['etag']) } },
    );
    expect(changed.status).toBe(200);
    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await screen.findByText(/^The definition was changed since you typed your changes/);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Unique together').value).toBe('SNO, NUMBER');

    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await user.click(await screen.findByRole('button', { name: 'Apply' }));
    await waitFor(async () => {
      const { tables } = await database.read(readDefinitions);
      const saved = tables.find(({ guid }) => guid === table.guid);
      expect(saved).toMatchObject({
        uniqueTogether: [['SNO', 'NUMBER']],
        description: 'Changed meanwhile',
      });
      expect(saved?.fields.at(-1)?.name).toBe('ADDED');
    });
  },
);
