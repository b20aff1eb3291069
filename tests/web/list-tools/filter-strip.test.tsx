import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderFeature } from '#tests/support/render-app.tsx';
import type { Where } from '#web/api/list-view.ts';
import { FilterStrip } from '#web/list-tools/filter-strip.tsx';
import { buildColumn } from '../tables/columns.ts';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
const archive = await buildArchive(database, [{ name: 'TITLE' }]);
const FIELDS = [{ ...buildColumn('TITLE'), kind: 'field' }] as const;

/** A page whose address follows the filter only when a button is pressed, and which can close the strip. */
async function open() {
  const applied: (readonly Where[])[] = [];
  function FilteredPage() {
    const [where, setWhere] = useState<readonly Where[]>([]);
    const [isOpen, setIsOpen] = useState(true);
    return (
      <>
        <button onClick={() => setWhere(applied.at(-1) ?? [])}>Commit</button>
        <button onClick={() => setIsOpen(false)}>Close</button>
        {isOpen && (
          <FilterStrip
            collection={{ kind: 'archive', id: archive.name }}
            fields={FIELDS}
            where={where}
            onFilter={(next) => applied.push(next)}
          />
        )}
      </>
    );
  }
  const { user } = await renderFeature(app, <FilteredPage />, {
    as: { username: 'anna', password: PASSWORD },
  });
  const value = await screen.findByRole('textbox', { name: 'Value' });
  return {
    user,
    value,
    press: (name: string) => user.click(screen.getByRole('button', { name })),
    values: () => applied.map(([where]) => where?.value),
  };
}

it('keeps what is typed before the address follows the filter that was applied', async () => {
  const { user, value, press, values } = await open();
  await user.type(value, 'ab');
  await waitFor(() => expect(values()).toContain('ab'));
  await user.type(value, 'c');
  screen.getByRole('button', { name: 'Commit' }).click();
  await waitFor(() => expect(values().at(-1)).toBe('abc'));
  await press('Commit');
  expect(screen.getByRole('textbox', { name: 'Value' })).toBe(value);
  expect(value).toHaveProperty('value', 'abc');
});

it('applies what was typed last when the focus leaves it to close it', async () => {
  const { user, value, press, values } = await open();
  await user.type(value, 'xyz');
  await press('Close');
  expect(values().at(-1)).toBe('xyz');
});
