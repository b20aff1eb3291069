import type { Locator, Page } from '@playwright/test';

/** The screen of an archive, its parts found as people find them: by what they are and how they are called. */
export function archiveScreen(page: Page) {
  const form = page.getByRole('region', { name: /^Form of revision / });
  const grid = page.getByRole('grid', { name: /^Revisions of / });
  return {
    grid,
    form,
    /** The form, once it shows this revision. */
    formOf: (revisionId: number) =>
      page.getByRole('region', { name: `Form of revision ${revisionId}`, exact: true }),
    row: (revisionId: number) =>
      grid.getByRole('row', {
        name: new RegExp(`^(?:Unsaved |Locked by [\\w ]+? )?${revisionId} `),
      }),
    field: (label: string) => fieldIn(form, label),
    /** What stands below a field: errors, the old value, the description. */
    save: form.getByRole('button', { name: /^Save changes/ }),
    more: form.getByRole('button', { name: 'More commands' }),
    /** Chooses a command of the form's overflow menu (⋯). */
    chooseMore: async (name: string) => {
      await form.getByRole('button', { name: 'More commands' }).click();
      await page.getByRole('menuitem', { name }).click();
    },
    changed: form.getByRole('status').filter({ hasText: /^(?:Nothing|\d+ fields?) changed$/ }),
    /** The values between which the user chooses; its keys count once it has the focus. */
    conflict: form.getByRole('group', { name: 'Changed meanwhile' }),
    notices: page.getByRole('region', { name: 'Notices' }),
    request: form.getByLabel('Text of the request'),
    search: page.getByRole('searchbox', { name: /^Search in / }),
    count: page
      .getByRole('region', { name: 'Revisions' })
      .getByText(/^[\d,]+(?: of [\d,]+)? revisions?(?:, filtered)?$/),
  };
}

/** A text field, whether it offers values or not. */
export function fieldIn(place: Locator, label: string): Locator {
  const name = named(label);
  return place.getByRole('textbox', { name }).or(place.getByRole('combobox', { name }));
}

/** Chooses an option of a list, by the list's name. */
export async function choose(page: Page, box: string | RegExp, option: string) {
  await page.getByRole('combobox', { name: box }).or(page.getByLabel(box)).first().click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** A label as a whole, with or without the mark of required fields. */
function named(label: string): RegExp {
  return new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?: \\*)?$`);
}
