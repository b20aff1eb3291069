import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FlowView } from '#web/features/document-preview/flow-view.tsx';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderFeature } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna' });

it('searches the page of a mail as soon as it is loaded', async () => {
  const html = '<p>Invoice 7</p>';
  const mail = { headers: [], attachments: [], headerLines: [], subject: 'Invoice', html };
  const { user, container } = await renderFeature(
    app,
    <FlowView
      file={{ as: 'mail', mail, bytesShown: 16, size: 16 }}
      name="mail.eml"
      onFrame={() => undefined}
    />,
    { as: { username: 'anna', password: PASSWORD } },
  );
  await user.click(screen.getByRole('button', { name: 'Search in the document' }));
  await user.keyboard('invoice');
  await screen.findByText('1 of 1');
  const frame = container.querySelector('iframe');
  if (!frame?.contentDocument) throw new Error('There is no frame.');
  frame.contentDocument.body.innerHTML = html;
  fireEvent.load(frame);
  expect(await screen.findByText('1 of 2')).not.toBeNull();
});
