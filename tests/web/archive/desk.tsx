import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach } from 'vitest';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp, type RenderOptions } from '#tests/support/render-app.tsx';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionDetailAnswer } from '#shared/contract/answers.ts';
import type { Access } from '#shared/rules/rights.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const FIELDS = [
  { name: 'INVOICENO', label: 'Invoice no.', required: true, maxLength: 10 },
  { name: 'SUPPLIER', label: 'Supplier', maxLength: 60 },
  { name: 'AMOUNT', label: 'Amount', type: 'decimal', scale: 2 },
  { name: 'PAID', label: 'Paid', type: 'boolean' },
  { name: 'DUE', label: 'Due', type: 'date' },
  { name: 'NOTE', label: 'Note' },
];

/** The revisions 1 to 4 of each test's archive; the first also has the keywords “paper” and “ink, black”. */
export const ROWS: readonly (readonly Scalar[])[] = [
  ['R-1', 'Muller GmbH', 10.5, null, '2026-01-31', 'one\r\ntwo  '],
  ['R-2', 'Müller GmbH', 20, true, null, ''],
  ['R-3', null, null, false, '2026-02-28', null],
  ['R-1234567890', 'Too long a number', 7, true, null, null],
];

/** The real service with a new archive for each test, and the page of the archive over it. */
export async function openDesk() {
  const service = await openApp(testDatabases('sqlite').open);
  const { app, database } = service;
  await buildUser(database, { username: 'anna', displayName: 'Anna', role: 'administrator' });
  await buildUser(database, { username: 'root', role: 'administrator' });
  /** somebody else, who works at the same time */
  const root: TestClient = await service.signedIn('root');
  let archive: Archive;

  const newArchive = async (rows: readonly (readonly Scalar[])[]): Promise<void> => {
    localStorage.clear();
    archive = await buildArchive(database, FIELDS, ['SUBJECT']);
    await buildRecords(database, archive, rows, (row) => [
      row === 0 ? ['paper', 'ink, black'] : [],
    ]);
  };
  beforeEach(() => newArchive(ROWS));

  const pathOf = (id: string) => `application/archiveapp/archives/${archive.name}/documents/${id}`;
  return {
    service,
    root,
    newArchive,
    pathOf,
    table: () => archive.name,

    /** A user with a right in the archive, by name. */
    async userWith(access: Access): Promise<string> {
      const username = `${access}-${archive.name}`;
      await buildUser(database, {
        username,
        rights: [rightOn(archive, access)],
      });
      return username;
    },

    /** Changes a revision from elsewhere. */
    async changeElsewhere(id: string, values: Readonly<Record<string, Scalar>>): Promise<void> {
      const indexFields = Object.entries(values).map(([name, value]) => ({ name, value }));
      const { status, text } = await root.patch(`${pathOf(id)}/indexdata`, { indexFields });
      if (status !== 200) throw new Error(text);
    },

    /** An administrator renames a field, and moves it before all others. */
    async renameField(from: string, to: string): Promise<void> {
      await new ArchiveAdministration(root, archive.name).rename(from, to);
    },

    /** An administrator defines the archive's keyword fields; those that are left out are retired. */
    async defineKeywords(...keywordFields: readonly Readonly<Record<string, unknown>>[]) {
      const administration = new ArchiveAdministration(root, archive.name);
      const { indexFields } = await administration.get();
      const { status, text } = await administration.put(indexFields, { keywordFields });
      if (status !== 200) throw new Error(text);
    },

    /** A revision as the service holds it now. */
    async stored(id: string) {
      const { body, headers } = await root.get(pathOf(id));
      const [revision] = revisionDetailAnswer.parse(body).archivedocumentrevisions;
      if (!revision) throw new Error(`There is no revision ${id}.`);
      return {
        revision,
        values: revision.indexFields.map(({ value }) => value),
        keywords: revision.keywordFields.map(({ value }) => value),
        etag: headers['etag'],
      };
    },

    /** Opens the archive's page. @param search with its question mark */
    async open(search = '', username = 'anna', network?: RenderOptions['network']) {
      const as = { username, password: PASSWORD };
      const page = await renderApp(app, `/archives/${archive.name}${search}`, { as, network });
      // Telling that one looks at a revision changes nothing.
      const writes = () =>
        page.service.calls.filter(
          ({ method, url }) => method !== 'GET' && !url.includes('/viewers?'),
        );
      return { ...page, writes };
    },
  };
}

export function grid(): Promise<HTMLElement> {
  return screen.findByRole('grid', { name: /^Revisions of/ });
}

/** The ids of the rows on the screen, in their order. */
export async function shownIds(): Promise<(string | undefined)[]> {
  const rows = within(await grid())
    .getAllByRole('row')
    .slice(1);
  return rows.map((row) => within(row).getAllByRole('gridcell')[1]?.textContent);
}

/** The row of a revision, once it is there. */
export async function row(id: string): Promise<HTMLElement> {
  return waitFor(async () => {
    const rows = within(await grid())
      .getAllByRole('row')
      .slice(1);
    const found = rows.find(
      (candidate) => within(candidate).getAllByRole('gridcell')[1]?.textContent === id,
    );
    if (!found) throw new Error(`Revision ${id} is not on the screen.`);
    return found;
  });
}

/** The form of a revision, once its editors are there. */
export async function form(id: string): Promise<HTMLElement> {
  const section = await screen.findByRole('region', { name: `Form of revision ${id}` });
  await within(section).findByRole('textbox', { name: /^Amount/ });
  return section;
}

/** An editor of the form by its label. */
export function editor(within_: HTMLElement, label: string): HTMLElement {
  const name = new RegExp(`^${label.replaceAll('.', '\\.')}`);
  const found =
    within(within_).queryByRole('combobox', { name }) ??
    within(within_).getByRole('textbox', { name });
  return found;
}

/** The width of a heading's column, which its grid sets for all rows: `146px`. */
export async function widthOf(heading: HTMLElement): Promise<string | undefined> {
  const widths = (await grid()).style.getPropertyValue('--columns').split(' ');
  return widths[Number(heading.getAttribute('aria-colindex')) - 1];
}
