import type { Locator, Page, Route } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('shows archives and tables with their counts @long', async ({ page }) => {
  await service.open(page, '/');
  const side = page.getByRole('navigation', { name: 'Archives and tables' });
  await expect(side.getByRole('link')).toHaveText([
    /^Supplier invoices\s*200$/,
    /^Letters\s*4$/,
    /^Suppliers\s*41$/,
  ]);
  await side.getByRole('link', { name: /^Suppliers/ }).click();
  await expect(page.getByRole('heading', { name: 'Suppliers', level: 1 })).toBeVisible();
  await expect(page).toHaveTitle('Suppliers · Indexdesk');
  await side.getByRole('link', { name: /^Supplier invoices/ }).click();
  await expect(page.getByRole('heading', { name: 'Supplier invoices', level: 1 })).toBeVisible();
});

test('the palette leads to an archive, a table and a revision by keys @long', async ({ page }) => {
  await service.open(page, '/');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const open = async (typed: string) => {
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
  };
  await open('invoi');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/archives/${INVOICES}`);
  await expect(palette).toBeHidden();

  await open('suppl');
  await expect(palette.getByRole('option')).toHaveCount(3);
  await expect(palette.getByRole('option').last()).toContainText('view of Supplier invoices');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Suppliers', level: 1 })).toBeVisible();

  await open('10123');
  await expect(palette.getByRole('option').first()).toHaveText(
    /Open revision 10123 in Supplier invoices/,
  );
  await page.keyboard.press('Enter');
  await expect(archiveScreen(page).formOf(10123)).toBeVisible();
  await expect(archiveScreen(page).row(10123)).toBeVisible();

  await open('no such thing');
  await expect(palette).toContainText('No results');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  // A dialog that was closed takes no key from the next.
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await open('suppl');
  await expect(palette.getByRole('option')).toHaveCount(3);
});

for (const [kind, path, rows] of [
  ['archive', `/archives/${INVOICES}`, 'index?limit=100&offset=0'],
  ['table', `/tables/${SUPPLIERS}`, 'datasets?limit=100&offset=0&findings=true'],
] as const) {
  test(`asks once for what the ${kind} begins with, before its scripts have come @long`, async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname.replace(/^.*\//, '') + search);
    });
    await service.open(page, path);
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('row').nth(5)).toBeVisible();
    for (const once of ['sessions', 'views', 'lastview', rows]) {
      expect(asked.filter((path) => path === once)).toEqual([once]);
    }
  });
}

/** Stands in the way of the script of the palette; whatever else the page needs comes. */
async function beforePalette(page: Page, work: (route: Route) => Promise<void>) {
  await page.route(/\/assets\/palette-[^/]*\.js$/, work);
}

test('what is typed while the palette is still coming goes into it, not to the page @long', async ({
  page,
}) => {
  const coming = Promise.withResolvers<void>();
  await beforePalette(page, async (route) => {
    await coming.promise;
    await route.continue();
  });
  await service.open(page, `/archives/${INVOICES}?selected=10086`);
  const { field, formOf, changed } = archiveScreen(page);
  await field('Remark').click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('100855');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(changed).toHaveText('Nothing changed');
  coming.resolve();
  const box = page.getByRole('combobox', { name: /^Archive, table, view/ });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('10085');
  await page.keyboard.press('Enter');
  await expect(formOf(10085)).toBeVisible();
  // Afterwards the keys are the page's again.
  await field('Remark').fill('typed');
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field('Remark')).toBeFocused();
  await page.keyboard.type(' on');
  await expect(field('Remark')).toHaveValue('typed on');
});

test('finds revisions and records by the value of their first field, and runs commands @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}`);
  const { formOf, row } = archiveScreen(page);
  await expect(row(10001)).toBeVisible();
  const type = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Archive, table, view/ }).fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  await type('2025/418', /F\/2025\/418.*revision 10003 in Supplier invoices/);
  await expect(formOf(10003)).toBeVisible();
  await type('colours dark', /Colours: dark/);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(formOf(10003)).toBeVisible();
  await type('70260', /70260.*record in Suppliers/);
  await expect(page).toHaveURL(/\/tables\/.*selected=/);
});

test('what is typed while a question is still coming does not go into the table @long', async ({
  page,
}) => {
  const coming = Promise.withResolvers<void>();
  await page.route(/\/assets\/delete-dialog-[^/]*\.js$/, async (route) => {
    await coming.promise;
    await route.continue();
  });
  await service.open(page, `/tables/${SUPPLIERS}`, 'admin');
  const row = page.getByRole('grid').locator('[data-row="0"]');
  await expect(row).toContainText(/\w/);
  await page.keyboard.press('ArrowDown');
  await expect(row.locator(':focus')).toBeVisible();
  const before = await row.textContent();
  await page.keyboard.press('Shift+ ');
  await page.keyboard.press('Control+Delete');
  await page.keyboard.type('typed into nothing');
  await page.keyboard.press('Enter');
  coming.resolve();
  const question = page.getByRole('dialog', { name: /^Delete / });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  expect(await row.textContent()).toBe(before);
});

test('a name typed while the dialog for views is still coming is the name of the view @long', async ({
  page,
}) => {
  const coming = Promise.withResolvers<void>();
  await page.route(/\/assets\/view-dialog-[^/]*\.js$/, async (route) => {
    await coming.promise;
    await route.continue();
  });
  await service.open(page, `/archives/${INVOICES}?where[revisionId][lte]=10003`);
  await page.getByRole('button', { name: 'Save as a view' }).press('Enter');
  await page.keyboard.type('The first');
  coming.resolve();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('The first');
});

test('a part of the page that cannot be loaded says so, keeps what was typed and is tried again @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  let away = true;
  await beforePalette(page, (route) =>
    away ? route.abort('connectionrefused') : route.continue(),
  );
  await service.open(page, `/archives/${INVOICES}?selected=10087`);
  const { field } = archiveScreen(page);
  await field('Remark').fill('half typed');
  await page.keyboard.press('Control+k');
  const missing = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(missing).toBeVisible();
  await expectNoViolations(page, { within: '[role=alert]' });
  // While it is not there, keys go where they belong.
  await field('Remark').press('End');
  await page.keyboard.type(' on');
  await expect(field('Remark')).toHaveValue('half typed on');
  away = false;
  await missing.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('combobox', { name: /^Archive, table, view/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field('Remark')).toHaveValue('half typed on');
});

test('opens a revision that the filter does not show @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?where[CURRENCY][eq]=CHF&selected=10001`);
  const screen = archiveScreen(page);
  await expect(screen.field('Invoice no.')).toHaveValue('FW250315');
  await expect(screen.row(10001)).toBeHidden();
});

test('light and dark: as the system has it, until one chooses @long', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await service.open(page, '/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const brightness = async () => {
    const [red = 0, green = 0, blue = 0] = ((await background()).match(/[\d.]+/g) ?? []).map(
      Number,
    );
    return red + green + blue;
  };
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  expect(await brightness()).toBeLessThan(200);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(async () => expect(await brightness()).toBeGreaterThan(600)).toPass();
  await page.getByRole('button', { name: 'Colours: as the system. Change to light' }).click();
  await page.getByRole('button', { name: 'Colours: light. Change to dark' }).click();
  await expect(async () => expect(await brightness()).toBeLessThan(200)).toPass();
  await page.reload();
  await expect(page.getByRole('button', { name: /^Colours: dark/ })).toBeVisible();
  expect(await brightness()).toBeLessThan(200);
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test('lists all that is to be done in an archive @long', async ({ page }) => {
    await service.open(page, '/');
    const told = page.getByRole('main').getByText('or is not that of the page.');
    await expect(told).toBeVisible();
    const hidden = await told.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight),
    );
    expect(hidden).toBe(0);
  });

  test('keeps counts and times in sight where a queue waits @long', async ({ page }) => {
    // The list comes back to this clerk as it is left here.
    await service.open(page, `/archives/${INVOICES}`, 'ben');
    await page.getByRole('button', { name: /^Supplier no\. missing/ }).click();
    await expect(page).toHaveURL(/view=/);
    await page.getByRole('button', { name: /^Correct these \d$/ }).click();
    const stored = page.waitForResponse(
      (answer) => answer.url().includes('/queues/') && answer.request().method() !== 'GET',
    );
    await page.getByRole('button', { name: /^Skip/ }).click();
    await expect(page.getByText(/^2 of \d$/)).toBeVisible();
    await stored;
    await service.open(page, '/', 'ben');
    const queue = page.getByRole('main').getByRole('link', { name: /^Resume: Supplier no/ });
    await expect(queue).toBeVisible();
    const count = page.getByRole('main').getByText('200 revisions');
    const progress = page.getByRole('main').getByText(/^2 of \d$/);
    for (const part of [count, queue, progress]) {
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThan(390);
    }
  });

  test('shows one pane at a time: list, form, document @long', async ({ page }) => {
    await service.open(page, `/archives/${INVOICES}`);
    const screen = archiveScreen(page);
    const views = page.getByRole('region', { name: 'Views' });
    const correct = page.getByRole('button', { name: /^Correct these/ });
    await expect(correct).toBeVisible();
    await expectTargets(page.getByRole('main'));
    await screen.row(10003).getByRole('gridcell').nth(1).click();
    await expect(screen.field('Invoice no.')).toBeVisible();
    for (const one of [screen.grid, views, correct]) await expect(one).toBeHidden();
    await expectTargets(screen.form);
    await expectNoViolations(page);
    await screen.form.getByRole('button', { name: 'More commands' }).click();
    await expectTargets(page.getByRole('menu'));
    await page.keyboard.press('Escape');
    await screen.form.getByRole('button', { name: 'Show the document' }).click();
    const pane = page.getByRole('region', { name: 'Document' });
    await expect(pane).toBeVisible();
    await expect(screen.form).toBeHidden();
    await expectTargets(pane.locator('header'));
    await pane.getByRole('button', { name: 'Hide the document' }).click();
    await expect(screen.form).toBeVisible();
  });

  test('breaks the labels of a form between words @long', async ({ page }) => {
    await service.open(page, `/archives/${INVOICES}?selected=10003`);
    // A required field: the mark needs space, too.
    const label = archiveScreen(page).form.getByText('Invoice no.', { exact: true });
    const { lines, hyphens } = await label.evaluate((name) => {
      name.textContent = 'Organisation number';
      const { hyphens: how, hyphenateLimitChars: limits } = getComputedStyle(name);
      const found = name.textContent.split(' ').map((word) => {
        const letters = document.createRange();
        const start = name.textContent.indexOf(word);
        const text = name.firstChild ?? name;
        letters.setStart(text, start);
        letters.setEnd(text, start + word.length);
        return letters.getClientRects().length;
      });
      const language = name.closest<HTMLElement>('[lang]')?.lang;
      return { lines: found, hyphens: { how, limits, language } };
    });
    expect(lines, 'how many lines each word takes').toEqual([1, 1]);
    // Longer words are hyphenated, if the browser has the rules of the language.
    expect(hyphens).toEqual({ how: 'auto', limits: '13 4', language: 'en' });
  });

  test('shows notices above the form @long', async ({ page }) => {
    await service.open(page, `/archives/${INVOICES}?selected=10004`);
    const screen = archiveScreen(page);
    await screen.field('Remark').fill('Checked');
    await screen.save.click();
    const notice = screen.notices.getByText('Revision 10004 is saved.');
    const close = screen.notices.getByRole('button', { name: 'Close' });
    await expect(notice).toBeVisible();
    const [box, form] = await Promise.all([close.boundingBox(), screen.form.boundingBox()]);
    expect((box?.y ?? Infinity) + (box?.height ?? Infinity)).toBeLessThan(form?.y ?? 0);
    await expectNoViolations(page);
  });

  test('the side bar comes when asked for, and the form covers the list @long', async ({
    page,
  }) => {
    await service.open(page, '/');
    await expect(page.getByRole('complementary', { name: 'Side bar' })).toBeHidden();
    await page.getByRole('button', { name: 'Archives and tables' }).click();
    const drawer = page.getByRole('dialog', { name: 'Archives and tables' });
    await drawer.getByRole('link', { name: /^Supplier invoices/ }).click();
    await expect(drawer).toBeHidden();
    const screen = archiveScreen(page);
    await screen.row(10002).getByRole('gridcell').nth(1).click();
    await expect(screen.field('Invoice no.')).toBeVisible();
    await expect(screen.save).toBeInViewport();
    await screen.form.getByRole('button', { name: 'Close the form' }).click();
    await expect(screen.form).toBeHidden();
    await expect(screen.row(10002)).toBeVisible();
    // Nothing is wider than the screen.
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});

test.describe('at a zoom of 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 } });

  test('most of the window is for the fields of the form @long', async ({ page }) => {
    await service.open(page, `/archives/${INVOICES}?selected=10003`);
    const screen = archiveScreen(page);
    await expect(screen.field('Invoice no.')).toBeVisible();
    for (const name of ['Invoice no.', 'Invoice date', 'Supplier no.', 'Supplier', 'Order no.']) {
      await expect(screen.field(name)).toBeInViewport({ ratio: 1 });
    }
    await expect(screen.save).toBeInViewport({ ratio: 1 });
    await expect(screen.more).toBeInViewport({ ratio: 1 });
    const fields = await screen.form.evaluate((form) => {
      const heights = [...form.querySelectorAll('header, footer')].map(
        (part) => part.getBoundingClientRect().height,
      );
      return form.clientHeight - heights.reduce((sum, height) => sum + height, 0);
    });
    expect(fields).toBeGreaterThanOrEqual(450 / 2);
    const covered = await screen.field('Invoice no.').evaluate((editor) => {
      const label = document.getElementById(editor.getAttribute('aria-labelledby') ?? '');
      const name = [...(label?.querySelectorAll('span') ?? [])].find(
        ({ textContent }) => textContent === 'Invoice no.',
      );
      if (name === undefined) throw new Error('The editor has no label.');
      name.textContent = 'Rechnungseingangsdatum'.repeat(2);
      const words = document.createRange();
      words.selectNodeContents(name);
      const [one, other] = [words.getBoundingClientRect(), editor.getBoundingClientRect()];
      return one.right > other.left && one.bottom > other.top;
    });
    expect(covered, 'a long word in a label covers the editor').toBe(false);
    await expectNoViolations(page);
  });
});

/** Whatever is pressed is at least 44 pixels wide and high. */
async function expectTargets(place: Locator) {
  const small = await place.evaluate((element) =>
    [...element.querySelectorAll('button, a[href], label:has(input), [role=menuitem], input')]
      .filter((target) => target.checkVisibility({ opacityProperty: true }))
      .flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        // A text is written into its whole box; what is in a label is pressed with it.
        const box = target.closest('label') ?? target.closest('[role=group], div') ?? target;
        const tall = Math.max(
          height,
          target.matches('input') ? box.getBoundingClientRect().height : 0,
        );
        const name = target.getAttribute('aria-label') ?? target.textContent;
        return width >= 44 && tall >= 44 ? [] : [`${name}: ${width} x ${height}`];
      }),
  );
  expect(small).toEqual([]);
}
