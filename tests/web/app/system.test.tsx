/** @module-tag slow */
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it('shows a job at its own button, and lets none be started beside it', async () => {
  const as = { username: 'anna', password: PASSWORD };
  const { user, service } = await renderApp(app, '/administration/system', { as });
  const verify = await screen.findByRole('button', { name: 'Verify now' });
  const backUp = await screen.findByRole('button', { name: 'Create a backup' });
  // Its answer is late: the job runs until then at the latest.
  const goOn = service.hold('POST');
  await user.click(backUp);
  await waitFor(() => expect(backUp.dataset['loading']).toBe('true'));
  goOn();
  await waitFor(() => expect(isDisabled(verify)).toBe(true));
  expect(verify.dataset['loading']).toBeUndefined();
});
