import { expect, type Page } from '@playwright/test';

/** The browser's databases of what is not saved yet. */
const DRAFTS = { database: 'indexdesk-encrypted-drafts', store: 'drafts', value: 'draft' };
const DESIGNS = { database: 'indexdesk-designs-of-tabs', store: 'designs', value: 'design' };
const GRID = { database: 'indexdesk-encrypted-grid', store: 'desks', value: 'desk' };

/** Does what changes a draft of a form, and waits until it is in IndexedDB. */
export const untilDraftStored = (page: Page, act: () => Promise<void>) =>
  untilWritten(page, DRAFTS, act);

/** Does what changes a definition in the designer, and waits until it is in IndexedDB. */
export const untilDesignStored = (page: Page, act: () => Promise<void>) =>
  untilWritten(page, DESIGNS, act);

/** Does what changes the edits of a grid, and waits until they are in IndexedDB. */
export const untilEditsStored = (page: Page, act: () => Promise<void>) =>
  untilWritten(page, GRID, act);

async function untilWritten(page: Page, place: typeof DRAFTS, act: () => Promise<void>) {
  const before = await vectors(page, place);
  await act();
  await expect.poll(() => vectors(page, place)).not.toBe(before);
}

/** The initialization vectors of all that is stored: each write has another. */
function vectors(page: Page, place: typeof DRAFTS): Promise<string> {
  return page.evaluate(async ({ database, store, value }) => {
    // Opening would make a database that is not there.
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === database)) return '';
    const opened = indexedDB.open(database);
    await new Promise((done) => opened.addEventListener('success', done));
    const entries = opened.result.transaction(store).objectStore(store).getAll();
    await new Promise((done) => entries.addEventListener('success', done));
    opened.result.close();
    return entries.result.map((entry) => String(entry[value].iv)).join(' ');
  }, place);
}
