import type { Page } from '@playwright/test';
import * as listTexts from '#messages/archive-list.ts';
import * as correctionTexts from '#messages/bulk-correction.ts';
import * as jobTexts from '#messages/bulk-jobs.ts';
import * as ruleTexts from '#messages/bulk-rules.ts';
import * as checkTexts from '#messages/check-list.ts';
import * as commonTexts from '#messages/common.ts';
import * as figureTexts from '#messages/figures.ts';
import * as frameTexts from '#messages/frame.ts';
import * as paletteTexts from '#messages/palette.ts';
import * as passwordTexts from '#messages/password.ts';
import * as toolTexts from '#messages/lists.ts';
import * as listToolsTexts from '#messages/list-tools.ts';
import * as queueMenuTexts from '#messages/queue-menu.ts';
import * as signInTexts from '#messages/sign-in.ts';
import * as spreadsheetTexts from '#messages/spreadsheet-menu.ts';
import * as viewTexts from '#messages/views.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { cutOff, inPseudo, receivedTexts, textsOutside } from './support/pseudo-language.ts';
import { expect, test } from './support/test.ts';

test.beforeAll(async () => {
  await buildWebAdmin(undefined, 'pseudo');
});
const service = ownService({ environment: { INDEXDESK_LANGUAGE: 'pseudo' } });

/** A state of the web admin. `check` is called wherever there is something new to look at. */
interface Screen {
  readonly name: string;
  readonly walk: (page: Page, check: () => Promise<void>) => Promise<void>;
  /** answers other than success that the walk causes */
  readonly statuses?: readonly number[];
}

const FEW = 'where[revisionId][in]=10001,10002,10003,10009,10041,10042';
const ARCHIVE = `/archives/${INVOICES}`;
const TYPED = [
  'My list',
  'nobody',
  'Zzyzx',
  'corrected.csv',
  'checked',
  'checked at 400 px',
  'checked at 1280 px',
  'looked at',
  'not-there',
];

/** A value that no record has from the walk at another width. */
const correctedAt = (page: Page) => `checked at ${page.viewportSize()?.width} px`;

const open = async (page: Page, path: string) => {
  await service.open(page, path);
  const texts = page.getByRole('main').getByText('⟦').filter({ visible: true });
  await expect(texts.first()).toBeVisible();
};
const press = (page: Page, text: string) =>
  page
    .getByRole('button', { name: inPseudo(text) })
    .first()
    .click();
const choose = (page: Page, text: string) =>
  page.getByRole('menuitem', { name: inPseudo(text) }).click();
const option = (page: Page, name: string) =>
  page.getByRole('listbox').getByRole('option', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
/** Selects the first rows of an archive's list. */
const selectRows = async (page: Page) => {
  const boxes = page.locator('[data-row] [data-gutter]');
  await boxes.nth(0).click();
  await boxes.nth(1).click();
};

const SCREENS: readonly Screen[] = [
  {
    name: 'the start page',
    walk: async (page, check) => {
      await open(page, '/');
      await check();
    },
  },
  {
    name: 'the palette',
    walk: async (page, check) => {
      await open(page, '/');
      await page.keyboard.press('Control+k');
      await expect(dialog(page).getByRole('combobox')).toBeFocused();
      await check();
      await page.keyboard.type('Zzyzx');
      await expect(dialog(page).getByText(inPseudo(paletteTexts.noResults))).toBeVisible();
      await check();
    },
  },
  {
    name: 'the user menu and the dialog for the password',
    walk: async (page, check) => {
      await open(page, '/');
      const user = page.getByRole('button', { name: 'Anna Weiss' });
      if (!(await user.isVisible())) await press(page, frameTexts.archivesAndTables);
      await user.click();
      await check();
      await choose(page, frameTexts.changePasswordItem);
      await dialog(page)
        .getByRole('button', { name: inPseudo(passwordTexts.changePassword) })
        .click();
      await check();
    },
  },
  {
    name: 'sign-in',
    statuses: [401],
    walk: async (page, check) => {
      await page.goto(service.url);
      const name = page.getByRole('textbox', { name: inPseudo(signInTexts.userName) });
      await name.fill('nobody');
      await check();
      await page.locator('input[type=password]').fill('not-there');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).not.toBeEmpty();
      await check();
    },
  },
  {
    name: 'an address with nothing at it',
    statuses: [404],
    walk: async (page, check) => {
      await open(page, '/not-there');
      await check();
      await open(page, '/archives/not-there');
      await check();
    },
  },
  {
    name: 'the list of an archive, its filter and its menus',
    walk: async (page, check) => {
      await open(page, `${ARCHIVE}?${FEW}&where[CURRENCY][eq]=CHF&sort=-TOTAL`);
      await check();
      const filter = page.getByRole('region', { name: inPseudo(toolTexts.filter), exact: true });
      await filter.getByRole('button', { name: inPseudo(listToolsTexts.addCondition) }).click();
      await check();
      await page.getByRole('button', { name: inPseudo(toolTexts.fields), exact: true }).click();
      await expect(dialog(page)).toBeVisible();
      await check();
      await page.keyboard.press('Escape');
      const heading = page.getByRole('columnheader').nth(2);
      await heading.click({ button: 'right' });
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await check();
      await page.keyboard.press('Escape');
      await press(page, queueMenuTexts.queuesAndFlags);
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await check();
      await page.keyboard.press('Escape');
      await press(page, spreadsheetTexts.spreadsheet);
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await check();
    },
  },
  {
    name: 'the figures of an archive, and the way there',
    walk: async (page, check) => {
      await open(page, ARCHIVE);
      await page.getByRole('button', { name: inPseudo(checkTexts.checks).slice(1, -1) }).click();
      await choose(page, checkTexts.figures);
      await expect(
        page.getByRole('heading', { name: inPseudo(figureTexts.byCheck) }),
      ).toBeVisible();
      await check();
    },
  },
  {
    name: 'a list that nothing matches',
    walk: async (page, check) => {
      await open(page, `${ARCHIVE}?q=Zzyzx`);
      await expect(page.getByText(inPseudo(listTexts.noMatch))).toBeVisible();
      await check();
    },
  },
  {
    name: 'views',
    walk: async (page, check) => {
      await open(page, `${ARCHIVE}?${FEW}`);
      await press(page, viewTexts.saveAsView);
      await dialog(page).getByRole('textbox').fill('My list');
      await check();
      await page.keyboard.press('Enter');
      const menu = page.getByRole('button', { name: /My list/ }).last();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await menu.click();
      await check();
      await choose(page, viewTexts.deleteView);
      await check();
      await dialog(page).locator('button[type=submit]').click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
  },
  {
    name: 'the same values for several revisions',
    walk: async (page, check) => {
      await open(page, `${ARCHIVE}?${FEW}`);
      await selectRows(page);
      await check();
      await press(page, listTexts.correctTogether);
      const field = dialog(page).getByRole('combobox', {
        name: inPseudo(correctionTexts.firstField),
      });
      await field.click();
      await option(page, 'Remark').click();
      await dialog(page)
        .getByRole('group', { name: 'Remark' })
        .getByRole('textbox')
        .fill('looked at');
      await expect(dialog(page).getByRole('listitem').filter({ hasText: 'looked at' })).toHaveCount(
        2,
      );
      await check();
      await press(page, commonTexts.moreCommands);
      await check();
      await choose(page, correctionTexts.previewRequest);
      await check();
    },
  },
  {
    name: 'a bulk edit by rules, and its receipt',
    walk: async (page, check) => {
      await open(page, `${ARCHIVE}?${FEW}`);
      await selectRows(page);
      await press(page, listTexts.byRules);
      await dialog(page)
        .getByRole('combobox', { name: inPseudo(ruleTexts.field) })
        .click();
      await option(page, 'Remark').click();
      const rule = dialog(page).getByRole('group', { name: 'Remark' });
      await rule.getByRole('combobox').first().click();
      await check();
      await option(page, inPseudo(ruleTexts.kinds.set)).click();
      await rule.getByRole('textbox', { name: inPseudo(ruleTexts.value) }).fill(correctedAt(page));
      await check();
      await page.keyboard.press('Control+Enter');
      await expect(dialog(page).getByRole('listitem')).toHaveCount(2);
      await check();
      // The plan takes an answer once it is painted. Its button has the focus then.
      await expect(dialog(page).locator('footer').getByRole('button').last()).toBeFocused();
      await page.keyboard.press('Control+Enter');
      await expect(
        dialog(page).getByRole('button', { name: inPseudo(jobTexts.undoAll) }),
      ).toBeVisible();
      await check();
    },
  },
  {
    name: 'an import, and the history of batches',
    walk: async (page, check) => {
      await open(page, ARCHIVE);
      await press(page, spreadsheetTexts.spreadsheet);
      await choose(page, spreadsheetTexts.importFile.archive);
      await check();
      await dialog(page)
        .locator('input[type=file]')
        .setInputFiles({
          name: 'corrected.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('Revision id;Remark;Total\n10002;checked;1,2\n10003;;abc'),
        });
      await expect(dialog(page).getByRole('combobox').first()).toBeVisible();
      await check();
      await page.keyboard.press('Escape');
      await press(page, spreadsheetTexts.spreadsheet);
      await choose(page, spreadsheetTexts.batchHistory);
      await expect(dialog(page)).toBeVisible();
      await check();
    },
  },
  {
    name: 'the grid of a table and the menu of a column',
    walk: async (page, check) => {
      await open(page, `/tables/${SUPPLIERS}`);
      await check();
      await page.getByRole('columnheader').nth(2).click({ button: 'right' });
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await check();
    },
  },
];

// Filters that one walk leaves would be those with which the next begins.
test.beforeEach(async () => (await service.as('anna')).forgetViews());

for (const width of [1280, 400]) {
  for (const { name, walk, statuses = [] } of SCREENS) {
    test(`${name}: all texts are from the catalogue and shown whole, at ${width} px @long`, async ({
      page,
      watch,
    }) => {
      watch.expectStatus(...statuses);
      await page.setViewportSize({ width, height: 900 });
      const received = receivedTexts(page);
      await walk(page, async () => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        // An answer is shown a moment before the test has read it.
        await expect
          .poll(() => textsOutside(page, { received, typed: TYPED }), { timeout: 5_000 })
          .toEqual([]);
        expect(await cutOff(page)).toEqual([]);
      });
    });
  }
}
