/** @module-tag slow */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { auditAnswer } from '#shared/contract/audit.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
const admin = await signedIn('anna');

it('are added to the list though the first page of a search is empty without being the last', async () => {
  const addGroup = (name: string) => admin.post('configuration/groups', { group: { name } });
  await addGroup('FIRST');
  const { service } = await renderApp(app, '/administration/audit', {
    as: { username: 'anna', password: PASSWORD },
  });
  await screen.findByRole('option', { name: /FIRST/ });
  const whole = () =>
    service.calls.filter(({ url }) => url.includes('/audit?') && !url.includes('from='));
  const read = whole().length;
  await addGroup('SECOND');
  await addGroup('THIRD');
  const { body } = await admin.get('configuration/audit?limit=1');
  const { entries, meta } = auditAnswer.parse(body);
  const next = entries[0]?.historyId ?? null;
  const empty = { entries: [], meta: { ...meta, pagination: { limit: 200, next } } };
  service.answerInstead('GET', () => Response.json(empty), 'from=');
  // TanStack Query listens at the window.
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await screen.findByRole('option', { name: /SECOND/ });
  screen.getByRole('option', { name: /FIRST/ });
  expect(whole()).toHaveLength(read);
});
