/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { giveLocks } from '../give-locks.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

giveLocks();
const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it(
  'An administrator deletes a retired field and then the archive permanently, each by its name',
  { tags: ['long'] },
  async () => {
    const archive = await buildArchive(database, [
      { name: 'TOTAL', label: 'Total' },
      { name: 'REMARK', label: 'Remark' },
    ]);
    const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
      as: { username: 'anna', password: PASSWORD },
    });
    const press = async (name: string | RegExp) =>
      user.click(await screen.findByRole('button', { name }));
    const purge = async (title: string, name: string) => {
      await press('Delete permanently…');
      const dialog = within(await screen.findByRole('dialog', { name: title }));
      const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete permanently' });
      const confirm = dialog.getByRole('textbox', { name: `Type ${name} to confirm` });
      await user.type(confirm, name.slice(0, -1));
      expect(isDisabled(submit)).toBe(true);
      await user.type(confirm, name.slice(-1));
      await user.click(submit);
    };
    const stored = async () => {
      const { archives } = await database.read(readDefinitions);
      return archives.find(({ name }) => name === archive.name);
    };

    const apply = async () => {
      await press('Preview changes');
      await press('Apply');
      // Closed once the new version is read.
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };

    // A restored field comes back to its place.
    const retire = async (name: string) => {
      await user.click(
        within(await screen.findByRole('group', { name })).getByRole('button', { name: 'Retire' }),
      );
      await apply();
    };
    const order = () =>
      screen
        .getAllByRole('button', { name: /^(?:Total|Remark)/ })
        .map(({ textContent }) => textContent);
    await retire('Total');
    await waitFor(() => expect(order()).toEqual(['Remark', 'TotalRetired']));
    await press(/^Total/);
    await press('Restore');
    expect(order()).toEqual(['Total', 'Remark']);
    const total = within(screen.getByRole('group', { name: 'Total' }));
    expect(document.activeElement).toBe(total.getByRole('textbox', { name: /^Label/ }));
    await apply();
    await waitFor(async () =>
      expect((await stored())?.fields.map(({ name }) => name)).toEqual(['TOTAL', 'REMARK']),
    );
    // The designer of the new version.
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Delete permanently…' })).toBeNull(),
    );

    await press('Remark');
    const properties = within(screen.getByRole('group', { name: 'Remark' }));
    await user.click(properties.getByRole('button', { name: 'Retire' }));
    expect(screen.queryByRole('button', { name: 'Delete permanently…' })).toBeNull();
    await apply();
    // The designer of the new version shows the same field.
    await screen.findByRole('button', { name: 'Delete permanently…' });

    // The retired field keeps its name: the service names the new one, which is then selected.
    await press('Add field');
    const added = () => within(screen.getByRole('group', { name: 'Field 3' }));
    await user.clear(added().getByRole('textbox', { name: /^Name/ }));
    await user.type(added().getByRole('textbox', { name: /^Name/ }), 'REMARK');
    await press('Total');
    await press('Preview changes');
    await screen.findByRole('group', { name: 'Field 3' });
    await added().findByText(/REMARK/);
    await user.click(added().getByRole('button', { name: 'Remove' }));

    await press(/^Remark ?Retired$/);
    await purge('Delete REMARK permanently?', 'REMARK');
    await screen.findByText('REMARK is permanently deleted.');
    await waitFor(() => {
      expect(screen.queryByRole('button', { name: /^Remark/ })).toBeNull();
      // The designer of the new version is there.
      screen.getByRole('button', { name: 'Total' });
    });

    await user.click(screen.getAllByRole('button', { name: 'Retire' })[0] ?? document.body);
    const dialog = within(await screen.findByRole('dialog', { name: /^Retire / }));
    await user.click(dialog.getByRole('button', { name: 'Retire' }));
    const row = within(await screen.findByRole('row', { name: /Retired$/ }));
    await user.click(row.getByRole('link'));
    await purge(`Delete ${archive.name} permanently?`, archive.name);
    await screen.findByText(`${archive.name} is permanently deleted.`);
    await screen.findByRole('link', { name: 'New archive' });
    expect(await stored()).toBeUndefined();
  },
);
