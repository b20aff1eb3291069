import type { Locator, Page } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { KINDS, loadKinds, REVISION } from './support/kinds.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    await loadKinds(dataDir);
  },
});
test.use({ documents: true });

let elsewhere: string[] = [];
test.beforeEach(async ({ context }) => {
  elsewhere = [];
  await context.route(
    ({ protocol, origin }) => protocol.startsWith('http') && origin !== service.url,
    async (route) => {
      elsewhere.push(route.request().url());
      await route.abort();
    },
  );
});
test.afterEach(() => {
  expect(elsewhere, 'requests to other hosts').toEqual([]);
});

/** Opens the first file of a revision. */
async function openKind(page: Page, kind: keyof typeof REVISION): Promise<Locator> {
  await service.open(page, `/archives/${KINDS}?selected=${REVISION[kind]}`, 'admin');
  return page.getByRole('region', { name: 'Document', exact: true });
}

const pageOf = (pane: Locator, number: number) =>
  pane.getByRole('group', { name: `Page ${number}`, exact: true });

/** What part of a page's dots is dark or coloured, once it is drawn; whole transparent ones are not. */
async function inked(sheet: Locator): Promise<number> {
  const canvas = sheet.locator('canvas[data-drawn]');
  await expect(canvas).toBeVisible();
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return 0;
    const { width, height } = element;
    const dots = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    let count = 0;
    for (let at = 0; at < dots.length; at += 4) {
      const [red = 0, green = 0, blue = 0, opacity = 0] = dots.slice(at, at + 4);
      if (opacity > 128 && red + green + blue < 384) count++;
    }
    return count / (width * height);
  });
}

const FEW = 0.002;

test('shows a fax (TIFF, G4) with all its pages and says that it has no text', async ({ page }) => {
  const pane = await openKind(page, 'fax');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
  await expect(pane.getByText('This is a scan without text')).toBeVisible();
  await page.keyboard.press('Alt+PageDown');
  expect(await inked(pageOf(pane, 2))).toBeGreaterThan(FEW);
});

test('shows a coloured TIFF (LZW)', async ({ page }) => {
  const pane = await openKind(page, 'colours');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(0.3);
});

test('shows html, of which nothing runs and nothing is loaded', async ({ page, watch }) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'html');
  const frame = pane.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'Delivery note 4711' })).toBeVisible();
  // What would come by itself has had time to.
  await page.waitForTimeout(1000);
  await expect(frame.getByRole('heading', { name: 'Delivery note 4711' })).toBeVisible();
  expect(await page.title()).not.toBe('ran');
});

test('shows a mail and opens what is attached to it', async ({ page, watch }) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'mail');
  await expect(pane.getByText('Jürgen Sommer <sommer@example.com>')).toBeVisible();
  await expect(pane.getByText('Rechnung für März')).toBeVisible();
  await expect(pane.getByText(/^2 Mar 2026, /)).toBeVisible();
  await expect(pane.frameLocator('iframe').getByText('Geschäftszeichen 0815')).toBeVisible();
  await pane.getByRole('button', { name: 'note.txt' }).click();
  await expect(pane.getByText('Kept with the mail')).toBeVisible();
  await pane.getByRole('button', { name: 'letter.eml' }).click();
  await expect(pane.getByText('Rechnung für März')).toBeVisible();
});

test('shows text in Windows-1252', async ({ page }) => {
  const pane = await openKind(page, 'text');
  await expect(pane.getByText('Grüße, 12,50 €')).toBeVisible();
});

/** The ranges that are read of a revision's file. */
function rangesRead(page: Page, revisionId: number) {
  const read: Promise<{ readonly bytes: number; readonly of: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().includes(`/documents/${revisionId}/files/`)) return;
    read.push(
      request.response().then(async (response) => {
        const range = await response?.headerValue('content-range');
        const [, from, to, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range ?? '') ?? [];
        return { bytes: Number(to) - Number(from) + 1, of: Number(of) };
      }),
    );
  });
  return async () => {
    const ranges = await Promise.all(read);
    const bytes = ranges.reduce((sum, range) => sum + range.bytes, 0);
    return { times: ranges.length, bytes, size: ranges[0]?.of ?? 0 };
  };
}

test('reads of a PDF of 500 pages only what its first page needs', async ({ page }) => {
  const read = rangesRead(page, REVISION.long);
  const pane = await openKind(page, 'long');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
  await expect(pane.getByText('Ledger page 1', { exact: true })).toBeVisible();
  await expect(pane.getByText('500')).toBeVisible();
  const { bytes, size } = await read();
  expect(size).toBeGreaterThan(2_000_000);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(size / 4);
});

test('reads a PDF that lists its 500 pages in one place by ever longer parts', async ({ page }) => {
  const read = rangesRead(page, REVISION.flat);
  const pane = await openKind(page, 'flat');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
  await expect(pane.getByText('Ledger page 1', { exact: true })).toBeVisible();
  await expect(pane.getByText('500')).toBeVisible();
  const { times, bytes, size } = await read();
  expect(size).toBeGreaterThan(25_000_000);
  expect(times).toBeGreaterThan(1);
  expect(times).toBeLessThan(20);
  expect(bytes).toBeLessThan(size * 1.2);
});

test('shows JPEG 2000 within a PDF', async ({ page }) => {
  const pane = await openKind(page, 'jpx');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(0.3);
});

test('shows JBIG2 within a PDF and says that it is a scan without text', async ({ page }) => {
  const pane = await openKind(page, 'jbig2');
  const part = await inked(pageOf(pane, 1));
  expect(part).toBeGreaterThan(FEW);
  expect(part).toBeLessThan(0.2);
  await expect(pane.getByText('This is a scan without text')).toBeVisible();
});

for (const [kind, text] of [
  ['japanese', '請求書'],
  ['chinese', '发票'],
] as const) {
  test(`shows ${kind} text whose font and character map are not in the PDF`, async ({ page }) => {
    const maps: string[] = [];
    page.on('response', (answer) => {
      if (answer.ok() && answer.url().includes('/cmaps/')) maps.push(answer.url());
    });
    const pane = await openKind(page, kind);
    expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
    await expect(pane.getByText(text)).toBeAttached();
    expect(maps.length).toBeGreaterThan(0);
  });
}

test('goes through the files of a revision by keys, past one that cannot be shown', async ({
  page,
  watch,
}) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'several');
  const files = pane.getByRole('group', { name: 'Files of this revision' });
  const shown = files.locator('[aria-pressed=true]');
  await expect(shown).toHaveText('scan.pdf');
  await archiveScreen(page).field('Subject').focus();
  for (const name of ['gradient.jp2', 'letter.txt', 'note.html', 'g4.tif', 'seikyusho.pdf']) {
    await page.keyboard.press('Alt+Shift+PageDown');
    await expect(shown).toHaveText(name);
    if (name === 'gradient.jp2') {
      await expect(pane.getByRole('alert')).toContainText('cannot be shown here');
    }
  }
  await expect(pane.getByText('請求書')).toBeAttached();
  await page.keyboard.press('Alt+Shift+PageDown');
  await expect(shown).toHaveText('scan.pdf');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
  await page.keyboard.press('Alt+Shift+PageUp');
  await expect(shown).toHaveText('seikyusho.pdf');
  await expect(shown).toBeInViewport({ ratio: 1 });
});

test('opens the next document ahead', async ({ page }) => {
  const ahead = page.waitForResponse((answer) =>
    answer.url().includes(`/documents/${REVISION.colours}/files/`),
  );
  await service.open(page, `/archives/${KINDS}?sort=revisionId&selected=${REVISION.fax}`, 'admin');
  await ahead;
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await archiveScreen(page).field('Subject').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(pane.getByRole('link', { name: 'lzw.tif' })).toBeVisible();
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(0.3);
  expect(asked.filter((url) => url.includes(`/${REVISION.colours}/files/`))).toEqual([]);
});
