/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { archivePath, buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import type { Archive } from '#server/database/records/collection.ts';
import { documentsAnswer } from '#shared/contract/answers.ts';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
await buildUser(database, { username: 'ben', role: 'administrator' });
const anna = await signedIn('anna');
const ben = await signedIn('ben');

const newArchive = () =>
  buildArchive(database, [
    { name: 'FIRM', label: 'Firm' },
    { name: 'NO', label: 'Number' },
  ]);

/** The page, with an archive chosen. */
async function openPage(given?: Archive) {
  const archive = given ?? (await newArchive());
  const page = await renderApp(app, '/administration/load-documents', {
    as: { username: 'anna', password: PASSWORD },
  });
  const { user } = page;
  await user.click(await screen.findByLabelText('Archive'));
  await user.click(await screen.findByRole('option', { name: archive.name, hidden: true }));
  const pattern = await screen.findByLabelText('Index data from the names of the files');
  return { ...page, archive, pattern, path: `${archivePath(archive)}/documents` };
}

/** The input for the documents. */
function inputOf(container: HTMLElement): HTMLElement {
  const input = container.querySelector<HTMLInputElement>('input[type=file][multiple]');
  if (!input) throw new Error('There is no input for files.');
  return input;
}

/** The page with a file whose upload has begun and is paused. @param isStored whether the service has received it */
async function pauseUpload({ isStored }: { readonly isStored: boolean }) {
  const { archive, user, service, container, pattern, path, unmount } = await openPage();
  const file = new File(['text'], 'Miller_D-1.txt', { lastModified: 1 });
  await user.upload(inputOf(container), file);
  const name = async (names: string) => {
    await user.clear(pattern);
    await user.click(pattern);
    await user.paste(names);
  };
  await name('{FIRM}_{NO}.txt');
  const send = service.hold('POST', '/documents');
  await user.click(screen.getByRole('button', { name: 'Load 1 document' }));
  const sent = () => service.calls.filter(({ url }) => url.endsWith('/documents'));
  await waitFor(() => expect(sent()).toHaveLength(1));
  const sendAgain = service.hold('POST', '/documents');
  if (isStored) {
    service.loseAnswerOf('POST');
    send();
    await waitFor(() => expect(sent()).toMatchObject([{ status: 201 }, { status: null }]));
  }
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  const resume = await screen.findByRole('button', { name: 'Load 1 document' });
  const documents = async () => documentsAnswer.parse((await anna.get(path)).body).archivedocuments;
  return {
    name,
    resume: async (outcome = '1 of 1 stored') => {
      send();
      sendAgain();
      await user.click(resume);
      await screen.findByText(outcome);
    },
    /** Leaves the page, and loads the file again with other index data. */
    loadAnew: async (names: string) => {
      unmount();
      const page = await openPage(archive);
      await page.user.upload(inputOf(page.container), file);
      await page.user.click(page.pattern);
      await page.user.paste(names);
      await page.user.click(screen.getByRole('button', { name: 'Load 1 document' }));
    },
    retry: () => user.click(screen.getByRole('button', { name: 'Retry the 1 that failed' })),
    /** Somebody else corrects the document. */
    correctElsewhere: async (firm: string) => {
      const [document] = await documents();
      const indexFields = [{ name: 'FIRM', value: firm }];
      await ben.patch(`${path}/${document?.revisionId}/indexdata`, { indexFields });
    },
    /** The next correction of a document is refused. */
    refuseCorrection: () =>
      service.answerInstead('PATCH', () => {
        const body = { code: 'locked', errors: { '-': ['Locked.'] }, requestId: 'r' };
        return Response.json(body, { status: 423 });
      }),
    /** The next upload is refused, as where the archive was changed meanwhile. */
    refuse: () =>
      service.answerInstead('POST', () => {
        const body = { code: 'validation_failed', errors: {}, requestId: 'r' };
        return Response.json(body, { status: 422 });
      }),
    stored: async () =>
      (await documents()).map(({ indexFields }) => indexFields.map(({ value }) => value)),
  };
}

it('a file that had arrived is not stored twice with index data that was changed since; the new data counts', async () => {
  const { name, resume, stored } = await pauseUpload({ isStored: true });
  await name('{NO}_D-1.txt');
  await resume();
  expect(await stored()).toEqual([[null, 'Miller']]);
});

it('a file that had arrived before the page was left is not stored twice with other index data', async () => {
  const { loadAnew, stored } = await pauseUpload({ isStored: true });
  await loadAnew('{NO}_D-1.txt');
  await screen.findByText('1 of 1 stored');
  screen.getByText(/^The document was stored before, with other index data/);
  expect(screen.queryByText('All files can be stored.')).toBeNull();
  expect(await stored()).toEqual([['Miller', 'D-1']]);
});

it('a file that was refused because of another session is not taken for one that is stored', async () => {
  const { user, service, container, path } = await openPage();
  await user.upload(inputOf(container), new File(['text'], 'other.txt'));
  service.answerInstead('POST', () => {
    const body = {
      code: 'other_session',
      errors: { '-': ['Other.'] },
      details: [],
      requestId: 'r',
    };
    return Response.json(body, { status: 409 });
  });
  await user.click(screen.getByRole('button', { name: 'Load 1 document' }));
  await user.click(await screen.findByRole('button', { name: 'Retry the 1 that failed' }));
  await screen.findByText('1 of 1 stored');
  const { archivedocuments } = documentsAnswer.parse((await anna.get(path)).body);
  expect(archivedocuments).toHaveLength(1);
});

it(
  'a file whose first index data is refused since is stored with the new data',
  { tags: ['long'] },
  async () => {
    const { name, resume, stored, refuse } = await pauseUpload({ isStored: false });
    refuse();
    await name('{NO}_D-1.txt');
    await resume();
    expect(await stored()).toEqual([[null, 'Miller']]);
  },
);

it('files that cannot be stored as they are come first', async () => {
  const { user, container, pattern } = await openPage();
  const files = ['A_1.txt', 'B_2.txt', 'other.txt'];
  await user.upload(
    inputOf(container),
    files.map((name) => new File(['text'], name)),
  );
  await user.click(pattern);
  await user.paste('{FIRM}_{NO}.txt');
  const rows = within(screen.getByRole('table', { name: 'Files' })).getAllByRole('row');
  expect(rows.slice(1).map((row) => row.firstElementChild?.textContent)).toEqual([
    'other.txt',
    'A_1.txt',
    'B_2.txt',
  ]);
});

it('a definition file in the place of the spreadsheet is refused in words, and a spreadsheet can follow', async () => {
  const { user, container } = await openPage();
  const part = within(screen.getByRole('region', { name: 'Index data from a spreadsheet' }));
  const input = container.querySelector<HTMLInputElement>('input[type=file]:not([multiple])');
  if (!input) throw new Error('There is no input for a spreadsheet.');
  await user.upload(input, new File(['{"archives": []}'], 'definition.txt'));
  const alert = within(await part.findByRole('alert'));
  alert.getByText('The spreadsheet could not be read');
  alert.getByText('The file is a definition file. Choose a CSV, TSV or XLSX file.');
  expect(alert.queryByRole('textbox')).toBeNull();
  await user.upload(input, new File(['file,FIRM\na.pdf,Acme\n'], 'index.csv'));
  await part.findByText('index.csv: 1 row');
  expect(part.queryByRole('alert')).toBeNull();
});

it('a stored file that somebody else has changed since keeps their index data and is done', async () => {
  const { name, correctElsewhere, resume, stored } = await pauseUpload({ isStored: true });
  await correctElsewhere('Meier');
  await name('{NO}_D-1.txt');
  await resume();
  await screen.findByText(/^The document is stored\. Somebody else has changed it/);
  expect(await stored()).toEqual([['Meier', 'D-1']]);
});

it('a stored file whose new index data is refused is among the new documents, and tried again', async () => {
  const { name, refuseCorrection, resume, retry, stored } = await pauseUpload({ isStored: true });
  refuseCorrection();
  await name('{NO}_D-1.txt');
  await resume('0 of 1 stored, 1 failed');
  expect(screen.getByRole('link', { name: /^Show the new documents/ })).toBeTruthy();
  await retry();
  await screen.findByText('1 of 1 stored');
  expect(await stored()).toEqual([[null, 'Miller']]);
});

it('names the required fields that neither the pattern nor a spreadsheet provides, and where to change them', async () => {
  const archive = await buildArchive(database, [
    { name: 'FIRM', label: 'Firm', required: true },
    { name: 'NO', label: 'Number', required: true },
    { name: 'TOTAL', label: 'Total', required: true },
    { name: 'REMARK', label: 'Remark' },
  ]);
  const { user, container, pattern } = await openPage(archive);
  await user.upload(inputOf(container), new File(['text'], 'Miller_D-1.txt'));
  await user.click(pattern);
  await user.paste('{FIRM}_{NO}.txt');
  const reason = await screen.findByText(/^Required, but neither in the pattern/);
  expect(reason.textContent).toMatch(/in a spreadsheet: Total\. /);
  const link = within(reason).getByRole('link').getAttribute('href');
  expect(link).toBe(`/administration/archives/${archive.name}`);
});
