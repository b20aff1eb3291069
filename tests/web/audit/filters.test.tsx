import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it('keep the focus when Enter applies a text, and follow the address', async () => {
  const { user, search, history } = await renderApp(app, '/administration/audit', {
    as: { username: 'anna', password: PASSWORD },
  });
  const value = await screen.findByRole('textbox', { name: 'Value' });
  await user.type(value, 'Acme{Enter}');
  await waitFor(() => expect(search()).toEqual({ value: 'Acme' }));
  await user.keyboard(' Ltd');
  expect(value).toHaveProperty('value', 'Acme Ltd');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(search()).toEqual({ value: 'Acme Ltd' }));
  history.back();
  await waitFor(() => expect(value).toHaveProperty('value', 'Acme'));
});
