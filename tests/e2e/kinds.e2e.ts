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

test('shows a fax (TIFF, G4) with all its pages and says that it has no text @long', async ({
  page,
}) => {
  const pane = await openKind(page, 'fax');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(FEW);
  await expect(pane.getByText('This is a scan without text')).toBeVisible();
  await page.keyboard.press('Alt+PageDown');
  expect(await inked(pageOf(pane, 2))).toBeGreaterThan(FEW);
});

test('shows a coloured TIFF (LZW) @long', async ({ page }) => {
  const pane = await openKind(page, 'colours');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(0.3);
});

test('shows html, of which nothing runs and nothing is loaded', async ({ page, watch }) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'html');
  const frame = pane.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'Delivery note 4711' })).toBeVisible();
  const inside = await (await pane.locator('iframe').elementHandle())?.contentFrame();
  await inside?.waitForLoadState('load');
  // What would come by itself has had its turn.
  await page.evaluate(() => new Promise((shown) => requestIdleCallback(shown)));
  await expect(frame.getByRole('heading', { name: 'Delivery note 4711' })).toBeVisible();
  expect(await page.title()).not.toBe('ran');
});

test('shows the beginning of a text that is too large to be shown whole @long', async ({
  page,
}) => {
  const read = rangesRead(page, REVISION.large);
  const pane = await openKind(page, 'large');
  await expect(pane.getByRole('status')).toContainText('first 1 MB of 3 MB');
  const shown = await pane.locator('pre').textContent();
  expect(shown).toMatch(/^xü+$/);
  expect(await read()).toEqual({ times: 1, bytes: 1_000_000, size: 3_000_001 });
});

test('shows a mail and opens what is attached to it @long', async ({ page, watch }) => {
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

test('searches a mail @long', async ({ page, watch }) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'mail');
  await pane.frameLocator('iframe').getByText('Geschäftszeichen 0815').click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('zeichen');
  await expect(pane.getByText('1 of 1')).toBeVisible();
});

test('shows a picture turned @long', async ({ page }) => {
  const pane = await openKind(page, 'pictures');
  const files = pane.getByRole('group', { name: 'Files of this revision' });
  for (const name of ['tall.png', 'tall.jpg']) {
    await files.getByRole('button', { name }).click();
    const sheet = pageOf(pane, 1);
    expect(await inked(sheet)).toBeGreaterThan(0.9);
    await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(false);
    await pane.getByRole('button', { name: 'Turn the view' }).click();
    await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(true);
    expect(await inked(sheet)).toBeGreaterThan(0.9);
  }
});

test('says which file is broken, and the form still works @long', async ({ page }) => {
  const pane = await openKind(page, 'broken');
  const files = pane.getByRole('group', { name: 'Files of this revision' });
  const said = {
    'broken.png': 'This image is broken.',
    'broken.jpg': 'This image is broken.',
    'broken.tif': 'This TIFF is broken.',
    'broken.eml': 'This mail is broken.',
  };
  for (const [name, words] of Object.entries(said)) {
    await files.getByRole('button', { name }).click();
    await expect(pane.getByRole('alert')).toContainText(words);
  }
  const screen = archiveScreen(page);
  await screen.field('Subject').fill('seen');
  await screen.save.click();
  await expect(screen.notices).toContainText(`Revision ${REVISION.broken} is saved.`);
});

test('shows no file that would take all memory, and says why @long', async ({ page }) => {
  const pane = await openKind(page, 'bombs');
  const files = pane.getByRole('group', { name: 'Files of this revision' });
  const said = {
    'bomb.pdf': 'This document has more than 100,000 pages',
    'bomb.tif': 'This document has more than 10,000 pages',
    'bomb.png': 'This image has too many pixels to be displayed.',
  };
  for (const [name, words] of Object.entries(said)) {
    await files.getByRole('button', { name }).click();
    await expect(pane.getByRole('alert')).toContainText(words);
  }
});

/** Marks a text of the document whole, as a hand would that is sure. */
const mark = (pane: Locator, text: string) =>
  pane.locator('pre').evaluate((pre, wanted) => {
    const lines = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    for (let line = lines.nextNode(); line; line = lines.nextNode()) {
      const at = line.textContent?.indexOf(wanted) ?? -1;
      if (at >= 0) getSelection()?.setBaseAndExtent(line, at, line, at + wanted.length);
    }
  }, text);

test.describe('in Germany', () => {
  test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });

  test('reads figures of a document as Germans write them @long', async ({ page }) => {
    const pane = await openKind(page, 'figures');
    const screen = archiveScreen(page);
    await expect(pane.getByText('1.234,50 €')).toBeVisible();
    await screen.field('Total').focus();
    await mark(pane, '1.234,50 €');
    await page.keyboard.press('Alt+Enter');
    await expect(screen.field('Total')).toHaveValue('1234,50');
    await screen.field('Dated').focus();
    await mark(pane, '12.03.2024');
    await page.keyboard.press('Alt+Enter');
    await expect(screen.field('Dated')).toHaveValue('12.03.2024');
    await page.keyboard.press('Control+s');
    await expect(screen.notices).toContainText(`Revision ${REVISION.figures} is saved.`);
    const admin = await service.as('admin');
    const { values } = await admin.revision(KINDS, REVISION.figures);
    expect(values).toMatchObject({ TOTAL: 1234.5, DATED: '2024-03-12' });
  });
});

test.describe('in Sweden, where the year comes first', () => {
  test.use({ locale: 'sv-SE' });

  test('asks what a date means @long', async ({ page }) => {
    const pane = await openKind(page, 'figures');
    const screen = archiveScreen(page);
    await expect(pane.getByText('03/04/2024')).toBeVisible();
    await screen.field('Dated').focus();
    await mark(pane, '03/04/2024');
    await page.keyboard.press('Alt+Enter');
    const question = page.getByRole('group', { name: /What does “03\/04\/2024” mean in Dated/ });
    await expect(question).toContainText('2024-03-04');
    await expect(question).toContainText('2024-04-03');
    const meant = await question
      .getByRole('button')
      .nth(1)
      .getByText(/^2024-/)
      .textContent();
    await page.keyboard.press('2');
    await expect(question).toBeHidden();
    await page.keyboard.press('Control+s');
    await expect(screen.notices).toContainText(`Revision ${REVISION.figures} is saved.`);
    const admin = await service.as('admin');
    const { values } = await admin.revision(KINDS, REVISION.figures);
    expect(values['DATED']).toBe(meant);
  });
});

test('shows text in Windows-1252 @long', async ({ page }) => {
  const pane = await openKind(page, 'text');
  await expect(pane.getByText('Grüße, 12,50 €')).toBeVisible();
});

/** How much larger than its own size a document without pages is shown, in percent. */
const percentOf = async (pane: Locator) =>
  parseInt((await pane.getByText(/^\d+ %$/).textContent()) ?? '', 10);

test('shows a text larger, so that no line is broken, as a whole and turned; it is searched and taken from @long', async ({
  page,
}) => {
  const pane = await openKind(page, 'listing');
  const text = pane.getByRole('region', { name: 'Text of listing.txt' });
  const sheet = text.locator('[data-sheet]');
  const button = (name: string) => pane.getByRole('button', { name });
  await expect.poll(() => percentOf(pane)).toBe(100);
  const broken = () =>
    text.locator('pre').evaluate((pre) => {
      const line = document.createRange();
      line.selectNodeContents(pre);
      return new Set([...line.getClientRects()].map(({ top }) => top)).size > 140;
    });
  expect(await broken()).toBe(true);
  await text.click({ position: { x: 200, y: 200 } });
  await page.keyboard.press('0');
  await expect(button('As wide as the pane')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(broken).toBe(false);
  const fitting = await percentOf(pane);
  expect(fitting).toBeLessThan(100);
  await page.keyboard.press('9');
  await expect.poll(() => percentOf(pane)).toBeLessThan(fitting);
  await expect
    .poll(() => text.evaluate((element) => element.scrollHeight - element.clientHeight))
    .toBeLessThanOrEqual(1);
  await page.keyboard.press('1');
  await expect.poll(() => percentOf(pane)).toBe(100);
  await page.keyboard.press('+');
  await expect.poll(() => percentOf(pane)).toBe(120);
  await button('Smaller').click();
  await button('Smaller').click();
  await expect.poll(() => percentOf(pane)).toBe(83);

  await page.keyboard.press('Control+f');
  await page.keyboard.type('account 4480');
  await expect(pane.getByText('1 of 1')).toBeVisible();
  await expect.poll(() => scrolledTo(text)).toBeGreaterThan(300);
  await page.keyboard.press('Escape');

  await button('As wide as the pane').click();
  await button('Turn the view').click();
  await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(true);
  // It begins where its text does.
  const right = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(Math.abs((await right(sheet)) - (await right(text)))).toBeLessThan(20);
  await archiveScreen(page).field('Subject').focus();
  const before = await text.evaluate(({ scrollLeft }) => scrollLeft);
  await page.keyboard.press('Alt+PageDown');
  await expect.poll(() => text.evaluate(({ scrollLeft }) => scrollLeft)).toBeLessThan(before);
  await page.keyboard.press('Alt+Shift+Home');
  await expect(button('Whole page')).toHaveAttribute('aria-pressed', 'true');
  for (let turn = 1; turn < 4; turn++) await button('Turn the view').click();
  await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(false);
  await button('Show the actual size').click();
  await text.getByText('ACCOUNT 4400').dblclick({ position: { x: 60, y: 22 } });
  await page.keyboard.press('Alt+Enter');
  await expect(archiveScreen(page).field('Subject')).toHaveValue('ACCOUNT');
});

test('shows html larger and turned in its sandbox, also in a window of its own @long', async ({
  page,
  watch,
}) => {
  watch.expectRefusedContent();
  const pane = await openKind(page, 'html');
  const [own] = await Promise.all([
    page.waitForEvent('popup'),
    pane.getByRole('button', { name: 'Show the document in its own window' }).click(),
  ]);
  await archiveScreen(page).field('Subject').focus();
  const alone = own.getByRole('region', { name: 'Document', exact: true });
  const frame = alone.locator('iframe');
  await expect(frame).toHaveAttribute('sandbox', 'allow-same-origin');
  const heading = alone.frameLocator('iframe').getByRole('heading', { name: 'Delivery note 4711' });
  const tall = async () => (await heading.boundingBox())?.height ?? 0;
  const usual = await tall();
  // Keys of the document are heard while the cursor is in what is framed.
  await heading.click();
  await own.keyboard.press('+');
  await expect.poll(() => percentOf(alone)).toBe(120);
  await expect.poll(tall).toBeCloseTo(usual * 1.2, 0);
  await own.keyboard.press('1');
  await own.keyboard.press('r');
  await expect.poll(async () => isWide(await heading.boundingBox())).toBe(false);
  await own.keyboard.press('Control+f');
  await own.keyboard.type('delivery');
  await expect(alone.getByText('1 of 1')).toBeVisible();
  await own.keyboard.press('Escape');
  const box = await heading.boundingBox();
  // The first word of a heading that reads downwards.
  await own.mouse.dblclick((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20);
  const take = alone.getByRole('button', { name: /Into the field/ });
  const button = await take.boundingBox();
  expect(Math.abs((button?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(200);
  await own.keyboard.press('Alt+Enter');
  await expect(archiveScreen(page).field('Subject')).toHaveValue('Delivery');
  await own.close();
});

const scrolledTo = (text: Locator) => text.evaluate(({ scrollTop }) => scrollTop);

function isWide(box: { width: number; height: number } | null): boolean {
  return box !== null && box.width > box.height;
}

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

test('reads of a PDF of 500 pages only what its first page needs @long', async ({ page }) => {
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

test('reads a PDF that lists its 500 pages in one place by ever longer parts @long', async ({
  page,
}) => {
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

test('shows JPEG 2000 within a PDF @long', async ({ page }) => {
  const pane = await openKind(page, 'jpx');
  expect(await inked(pageOf(pane, 1))).toBeGreaterThan(0.3);
});

test('shows JBIG2 within a PDF and says that it is a scan without text @long', async ({ page }) => {
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
  test(`shows ${kind} text whose font and character map are not in the PDF @long`, async ({
    page,
  }) => {
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

test('goes through the files of a revision by keys, past one that cannot be shown @long', async ({
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

test('prefetches the next document @long', async ({ page }) => {
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
