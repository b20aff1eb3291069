import { beforeEach, vi } from 'vitest';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import { addIndexField, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderFeature } from '#tests/support/render-app.tsx';
import type { Archive } from '#server/database/records/collection.ts';
import {
  archiveAnswer,
  type ArchiveDetail,
  revisionDetailAnswer,
} from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { BulkEditPage } from '#web/features/bulk-edit/bulk-edit.tsx';
import type { ListSelection } from '#web/api/list-selection.ts';

const FIELDS = [
  { name: 'INVOICENO', label: 'Invoice no.', required: true, maxLength: 40 },
  { name: 'SUPPLIER', label: 'Supplier', maxLength: 60 },
  { name: 'AMOUNT', label: 'Amount', type: 'decimal', scale: 2 },
  { name: 'PAID', label: 'Paid', type: 'boolean' },
  { name: 'NOTE', label: 'Note' },
] as const;

/** The revisions 1 to 3 of each test's archive; the first also has the keywords paper and ink. */
export const ROWS: readonly (readonly Scalar[])[] = [
  ['R-1', 'Muller GmbH', 10.5, null, 'one\r\ntwo  '],
  ['R-2', 'Müller GmbH', 20, true, ''],
  ['R-3', null, null, false, null],
];

interface TestArchive {
  readonly thing: Archive;
  readonly detail: ArchiveDetail;
}

/** The real service with a new archive for each test, and the correction rendered over it. */
export async function openDesk() {
  const service = await openApp(testDatabases('sqlite').open);
  const { app, database } = service;
  await buildUser(database, { username: 'anna', role: 'administrator' });
  await buildUser(database, { username: 'root', role: 'administrator' });
  /** somebody else, who works at the same time */
  const root: TestClient = await service.signedIn('root');
  let archive: TestArchive;

  const readDefinition = async (name: string): Promise<ArchiveDetail> => {
    const { body } = await root.get(`application/users/root/archives/${name}`);
    const [detail] = archiveAnswer.parse(body).users.archives;
    if (!detail) throw new Error(`There is no archive ${name}.`);
    return detail;
  };
  const newArchive = async (rows: readonly (readonly Scalar[])[]): Promise<void> => {
    const thing = await buildArchive(database, FIELDS, ['SUBJECT']);
    await buildRecords(database, thing, rows, (row) => [row === 0 ? ['paper', 'ink'] : []]);
    archive = { thing, detail: await readDefinition(thing.name) };
  };
  beforeEach(() => newArchive(ROWS));

  const inArchive = (path: string) =>
    `application/archiveapp/archives/${archive.detail.table}/${path}`;
  return {
    root,
    newArchive,
    inArchive,
    pathOf: (id: string) => inArchive(`documents/${id}`),

    /** A clerk who may write in the archive, by name. */
    async writingClerk(): Promise<string> {
      const username = `clerk-${archive.detail.table}`;
      await buildUser(database, { username, rights: [rightOn(archive.thing, 'write')] });
      return username;
    },

    /** Adds an index field, as an administrator may while somebody is correcting. */
    async addField(name: string): Promise<void> {
      await database.write((db) => addIndexField(db, archive.thing, name));
      await vi.waitFor(async () => {
        const { indexFieldDefinitions } = await readDefinition(archive.detail.table);
        if (!indexFieldDefinitions.some((field) => field.name === name))
          throw new Error('Not there yet.');
      });
    },

    /** An administrator renames a field, and moves it before all others. */
    renameField: (from: string, to: string) =>
      new ArchiveAdministration(root, archive.detail.table).rename(from, to),

    /** A revision as the service holds it now. */
    async stored(id: string) {
      const { body, headers } = await root.get(inArchive(`documents/${id}`));
      const [revision] = revisionDetailAnswer.parse(body).archivedocumentrevisions;
      if (!revision) throw new Error(`There is no revision ${id}.`);
      const value = (name: string) =>
        revision.indexFields.find((field) => field.name === name)?.value;
      return { revision, value, etag: headers['etag'] };
    },

    /** Renders the correction of a selection, by default of all three revisions. */
    async open(
      selection: ListSelection = { kind: 'ids', ids: ['1', '2', '3'] },
      username = 'anna',
    ) {
      const onClose = vi.fn<() => void>();
      const onDone = vi.fn<() => void>();
      const page = (detail: ArchiveDetail) => (
        <BulkEditPage archive={detail} selection={selection} onClose={onClose} onDone={onDone} />
      );
      const rendered = await renderFeature(app, page(archive.detail), {
        as: { username, password: PASSWORD },
      });
      const writes = () => rendered.service.calls.filter(({ method }) => method !== 'GET');
      /** Gives the open correction the definition as it is now. */
      const readArchiveAgain = async () =>
        rendered.rerender(page(await readDefinition(archive.detail.table)));
      return { ...rendered, onClose, onDone, writes, readArchiveAgain };
    },
  };
}
