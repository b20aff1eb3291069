import type { Locator } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { EMPTY, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService(EMPTY);

/** The labels of an archive with words as long as those of German contracts. */
const LABELS = ['Vertragsnummer', 'Unterzeichnet am', 'Vertragswert'];
const ARCHIVE = 'Vertragsregister';

/** By how many pixels a text does not fit where it is shown. */
const overflow = (shown: Locator) =>
  shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

test('long names are whole in forms, titles and lists, at each width @long', async ({ page }) => {
  await service.signIn(page.context(), 'admin');
  const base = `${service.url}/api/rest/v2/`;
  const indexFields = LABELS.map((label, at) => ({ name: `F${at}`, label, type: 'text' }));
  const archive = { table: 'REGISTER', name: ARCHIVE, indexFields };
  const created = await page.request.post(`${base}configuration/archives`, { data: { archive } });
  expect(created.status()).toBe(201);
  const documents = `${base}application/archiveapp/archives/REGISTER/documents`;
  const form = { 'indexFields[0][name]': 'F0', 'indexFields[0][value]': 'V-1' };
  expect((await page.request.post(documents, { multipart: form })).status()).toBe(201);
  const users = await page.request.post(`${base}configuration/users`, {
    data: { user: { username: 'nora' } },
  });
  expect(users.status(), await users.text()).toBe(201);

  for (const width of [1440, 1024, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${service.url}/archives/REGISTER?selected=1`);
    const screen = archiveScreen(page);
    for (const label of LABELS) {
      const shown = screen.form.locator('label', { hasText: label });
      await expect(shown).toBeVisible();
      const lines = await shown.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element.querySelector('span') ?? element);
        const tops = [...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8));
        return new Set(tops).size;
      });
      // Each word is on one line.
      expect(lines, `${label} at ${width}`).toBeLessThanOrEqual(label.split(' ').length);
    }
    const title = page.getByRole('heading', { level: 1 });
    if (width > 720) expect(await overflow(title), `title at ${width}`).toBeLessThanOrEqual(0);

    await page.goto(service.url);
    const latest = page.getByRole('region', { name: 'Latest changes' });
    const change = latest.getByText('Revision 1', { exact: false }).first();
    await expect(change).toContainText(ARCHIVE);
    expect(await overflow(change), `latest change at ${width}`).toBeLessThanOrEqual(0);

    await page.goto(`${service.url}/administration/users?user=nora`);
    const fields = page.getByRole('button', { name: 'Fields' });
    const box = await fields.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0), `rights at ${width}`).toBeLessThanOrEqual(width);
  }
});
