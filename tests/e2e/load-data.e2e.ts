import { expectNoViolations } from './support/accessibility.ts';
import { EMPTY, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const CONTRACTS = [
  'Vertragsnr.;Partner;Gültig bis;Betrag;Status',
  ...Array.from({ length: 30 }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0');
    const date = i === 7 ? '31.02.2027' : `${day}.03.2027`;
    return `V-${i + 100};Firma Müller ${i};${date};1.${String(i).padStart(3, '0')},50;${i % 2 === 0 ? 'offen' : 'bezahlt'}`;
  }),
].join('\r\n');

// npm test has both databases in the browser by this.
test.describe('on PostgreSQL', () => {
  const service = ownService({ ...EMPTY, database: 'postgres' });

  test('a CSV with German dates and amounts becomes an archive, and its bad row is mended @long', async ({
    page,
  }) => {
    await service.open(page, '/administration/load', 'admin');
    await page.locator('input[type=file]').setInputFiles({
      name: 'contracts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(CONTRACTS, 'latin1'),
    });
    await expect(page.getByLabel('Encoding')).toHaveValue('windows-1252');
    await expect(page.getByLabel('Separator')).toHaveValue(';');
    await expect(page.getByLabel('Type of Betrag')).toHaveValue('decimal');
    await expect(page.getByRole('region', { name: 'The first 30 rows' })).toContainText('1,000.50');
    await page.getByLabel('Title').fill('Contracts of today');
    await page.getByLabel('Name of Partner').fill('no name');
    await page.getByLabel('Load the column Status').uncheck();
    // One day does not exist; all others are dates.
    const type = page.getByLabel('Type of Gültig bis');
    await expect(type).toHaveValue('date');
    await type.focus();
    await type.selectOption('text');
    await expect(page.getByText('1 value does not fit')).toHaveCount(0);
    await type.selectOption('date');
    await expect(
      page.getByText(
        '1 value does not fit: “31.02.2027”. Enter a valid date, written as DD.MM.YYYY.',
      ),
    ).toBeVisible();
    // Reading the file again changes nothing else.
    await expect(type).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveValue('Contracts of today');
    await expect(page.getByLabel('Load the column Status')).not.toBeChecked();
    const create = page.getByRole('button', { name: 'Create the archive and check the rows' });
    await create.click();
    await expect(page.getByLabel('Name of Partner')).toBeFocused();
    await expect(page.getByLabel('Name of Partner')).toHaveAccessibleDescription(
      /^A name starts with a letter/,
    );
    await page.getByLabel('Name of Partner').fill('PARTNER');
    await page.getByLabel('Label of Partner').fill('');
    await page.getByLabel('Title').fill(' ');
    await create.click();
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveAccessibleDescription('Enter a title.');
    await page.getByLabel('Title').fill('Contracts of today');
    await expect(page.getByLabel('Numbers and dates')).toHaveValue('de-DE');
    await expectNoViolations(page);
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    const stay = async (lost: string) => {
      await page.getByRole('link', { name: 'Sessions' }).click();
      await expect(leave).toContainText(lost);
      await leave.getByRole('button', { name: 'Cancel' }).click();
    };
    await stay('The rows of the file are not loaded.');
    await expect(page.getByLabel('Name of Partner')).toHaveValue('PARTNER');

    await page.getByLabel('Required of Gültig bis').check();
    await create.click();
    const job = page.getByRole('region', { name: 'What is loaded' });
    await expect(job.getByRole('status').first()).toHaveText(
      '29 revisions would be created, 1 row has a problem; nothing is changed yet',
    );
    await expectNoViolations(page);
    // New revisions have only new values; a field without a label is called by its name.
    await expect(job.getByText('no value')).toHaveCount(0);
    await expect(job.getByText('PARTNER').first()).toBeVisible();
    await job.getByRole('button', { name: 'Write 29 revisions' }).click();
    await expect(job.getByRole('status').first()).toHaveText('29 revisions written');

    const cell = page.getByLabel('Gültig bis, Row 9');
    await expect(cell).toHaveValue('31.02.2027');
    await expect(cell).toHaveAttribute('aria-invalid', 'true');
    await expect(cell).toHaveAccessibleDescription('Enter a valid date, written as DD.MM.YYYY.');
    await expect(page.locator('input[aria-invalid=true]')).toHaveCount(1);
    await expectNoViolations(page);
    await cell.fill('28.02.2027');
    await expect(cell).toHaveAttribute('aria-invalid', 'false');
    await stay('Your corrections will be lost.');
    await expect(cell).toHaveValue('28.02.2027');
    const discard = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
    await job.getByRole('button', { name: 'Close' }).click();
    await discard.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'other.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('A;B'),
    });
    await expect(discard).toContainText('what you have corrected in its rows');
    await discard.getByRole('button', { name: 'Cancel' }).click();
    await expect(cell).toHaveValue('28.02.2027');
    await page.getByRole('button', { name: 'Check the row again' }).click();
    await expect(job.getByRole('status').first()).toHaveText(
      '1 revision would be created; nothing is changed yet',
    );
    await expect(job.getByText('Row 9')).toBeVisible();
    await job.getByRole('button', { name: 'Write 1 revision' }).click();
    await expect(job.getByRole('status').first()).toHaveText('1 revision written');

    await page.getByRole('link', { name: 'Contracts of today' }).first().click();
    await expect(page.getByRole('heading', { name: 'Contracts of today' })).toBeVisible();
    await expect(page.getByText('30 revisions').first()).toBeVisible();
    await expect(page.getByText('Firma Müller 7').first()).toBeVisible();
  });
});

test.describe('with the sample content', () => {
  const service = ownService();

  test('rows go to an existing table, and the page can be read on a narrow screen @long', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 400, height: 860 });
    await service.open(page, '/administration/load', 'admin');
    await page.locator('input[type=file]').setInputFiles({
      name: 'more.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Supplier no.,Name,Comment\n79001,New Ltd,first\n79002,Other Ltd,second\n',
      ),
    });
    const labels = () =>
      page
        .getByRole('region', { name: 'Columns' })
        .getByRole('row')
        .nth(1)
        .getByRole('cell')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
    await expect.poll(labels).toContain('"Required"');
    await page.getByText('An existing one').click();
    await page.getByLabel('Archive or table').click();
    await page.getByRole('option', { name: 'Suppliers' }).click();
    await expect(page.getByLabel('Supplier no. goes to')).toHaveValue('Supplier no.');
    await expect(page.getByLabel('Comment goes to')).toHaveValue('Not loaded');
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Check the rows' }).click();
    const job = page.getByRole('region', { name: 'What is loaded' });
    await expect(job.getByRole('status').first()).toContainText('2 records would be created');
    await job.getByRole('button', { name: 'Write 2 records' }).click();
    await expect(job.getByRole('status').first()).toHaveText('2 records written');
    await expect(job.getByRole('button', { name: 'Undo all' })).toBeVisible();
    // As the browser does before a reload: it asks where the event is cancelled.
    const reloads = () =>
      page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    await job.getByRole('button', { name: 'Close' }).click();
    // The page starts afresh: nothing is left to lose.
    await expect(page.getByText('A new table')).toHaveCount(0);
    expect(await reloads()).toBe(true);
  });

  test('the reason of a row leads to its wrong value, both in view on a narrow screen @long', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 400, height: 860 });
    await service.open(page, '/administration/load', 'admin');
    await page.locator('input[type=file]').setInputFiles({
      name: 'more.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Supplier no.,Name,Street,City,E-mail,Days to pay\n79003,New Ltd,Mill Lane 3,York,office@new.example,soon\n',
      ),
    });
    await page.getByText('An existing one').click();
    await page.getByLabel('Archive or table').click();
    await page.getByRole('option', { name: 'Suppliers' }).click();
    await page.getByRole('button', { name: 'Check the rows' }).click();
    const reason = page.getByRole('button', { name: /^Row 2: Days to pay “soon”: / });
    const cell = page.getByLabel('Days to pay, Row 2');
    await expect(reason).toBeVisible();
    await expect(cell).not.toBeInViewport();
    await reason.press('Enter');
    await expect(cell).toBeFocused();
    for (const shown of [cell, reason]) await expect(shown).toBeInViewport({ ratio: 1 });
    await expectNoViolations(page);
  });
});
