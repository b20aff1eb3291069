import { createServer, type Server } from 'node:net';
import {
  findWholeChromium,
  launchOptions,
  obstacleToWholeChromium,
} from '#tests/support/chromium.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { KINDS, loadKinds, REVISION } from './support/kinds.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

// Chromium without windows connects for nothing ahead of its policy, so that the test could not fail in it.
test.skip(() => isMissing(obstacleToWholeChromium()));
test.use({ documents: true, launchOptions: launchOptions(findWholeChromium()) });

const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    await loadKinds(dataDir);
  },
});

const servers: Server[] = [];
test.afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that accepts connections and counts them, until the test ends. */
async function countConnections() {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return { url: `http://127.0.0.1:${address.port}`, count: () => count };
}

test('opens no connection for html @long', async ({ page, watch }) => {
  watch.expectRefusedContent();
  const [foreign, own] = [await countConnections(), await countConnections()];
  await page.route(`**/documents/${REVISION.html}/files/*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<link rel="preconnect" href="${foreign.url}"><link rel="dns-prefetch" href="${foreign.url}">
        <link rel="preconnect" href="${foreign.url}" crossorigin>
        <meta http-equiv="refresh" content="0;url=${foreign.url}">
        <h1>Delivery note 4712</h1><img src="${foreign.url}/a.png" srcset="${foreign.url}/b.png 2x" alt="">
        <style>@import url(${foreign.url}/c.css); h1 { background: url(${foreign.url}/d.png) }</style>
        <iframe src="${foreign.url}/frame"></iframe>
        <svg><image href="${foreign.url}/e.png" /></svg><a href="${foreign.url}">Shop</a>`,
    }),
  );
  await service.open(page, `/archives/${KINDS}?selected=${REVISION.html}`, 'admin');
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  const frame = pane.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'Delivery note 4712' })).toBeVisible();
  await expect(frame.getByText('Shop')).toHaveAttribute('href', foreign.url);
  // The browser connects for a frame before the policy blocks it. This one comes after all of the document's.
  await page.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src }));
  }, own.url);
  await expect.poll(own.count).toBeGreaterThan(0);
  expect(foreign.count()).toBe(0);
});
