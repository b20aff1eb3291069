import { randomUUID } from 'node:crypto';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import {
  buildRecords,
  buildTable,
  datasetsPath,
  type FieldInput,
  rightOn,
} from '#tests/support/builders.ts';
import type { Database } from '#server/database/database.ts';
import type { StoredRight } from '#server/modules/rights/rights.service.ts';
import type { Table } from '#server/database/records/collection.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp, type RenderOptions } from '#tests/support/render-app.tsx';
import { giveLocks } from '../give-locks.ts';
import { type Dataset, datasetsAnswer } from '#shared/contract/answers.ts';
import type { Access } from '#shared/rules/rights.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const COLUMNS = [
  { name: 'code', label: 'Code', required: true, unique: true, maxLength: 12 },
  { name: 'name', label: 'Name', required: true, maxLength: 80 },
  { name: 'note', label: 'Note' },
  { name: 'pieces', label: 'Pieces', type: 'integer' },
  { name: 'active', label: 'Active', type: 'boolean', default: true },
  { name: 'since', label: 'Since', type: 'date' },
  { name: 'state', label: 'State', options: ['open', 'waiting', 'closed'] },
];

const ROWS: readonly (readonly Scalar[])[] = [
  ['A-1', 'Bolt', 'one\r\ntwo', 5, true, '2024-01-31', 'open'],
  ['A-2', 'Nut', null, 7, false, null, null],
  ['A-3', 'Ring', '', null, null, null, 'closed'],
];

/** Columns as the grid numbers them: 0 is the row header. */
export const COL = { code: 1, name: 2, note: 3, pieces: 4, active: 5, since: 6, state: 7 } as const;

/** The real service, and the page of a new table rendered over it. */
export async function openGrids() {
  giveLocks();
  const service = await openApp(testDatabases('sqlite').open);
  const { app, database } = service;
  await buildUser(database, { username: 'root', role: 'administrator' });
  /** somebody else, who works at the same time */
  const root: TestClient = await service.signedIn('root');

  return {
    root,
    signedIn: (username: string) => service.signedIn(username),
    async open({
      rows = ROWS,
      access = 'manage',
      search = '',
      before = async () => undefined,
      columns = COLUMNS,
      more = {},
      beside = async () => [],
      network,
    }: Partial<{
      rows: readonly (readonly Scalar[])[];
      access: Access;
      search: string;
      /** done before the page is opened */
      before: (opened: {
        readonly username: string;
        readonly guid: string;
        readonly jrids: readonly string[];
      }) => Promise<void>;
      columns: readonly FieldInput[];
      /** other keys of the definition, such as `checks` */
      more: Readonly<Record<string, unknown>>;
      network: RenderOptions['network'];
      /** defines what belongs to the table, and says what the clerk may do there */
      beside: (database: Database, table: Table) => Promise<readonly StoredRight[]>;
    }> = {}) {
      // With capitals, as a program may have defined it: wherever it is compared in another form, a test fails.
      const guid = randomUUID().toUpperCase();
      const table = await buildTable(database, columns, undefined, { guid, ...more });
      if (rows.length > 0) await buildRecords(database, table, rows);
      const path = datasetsPath(table);
      const rights = await beside(database, table);
      const username = `clerk-${table.guid.slice(0, 8)}`;
      await buildUser(database, {
        username,
        rights: [rightOn(table, access), ...rights],
      });
      const { body } = await root.get(path);
      const listed = datasetsAnswer.parse(body).datasets;
      await before({ username, guid: table.guid, jrids: listed.map(({ jrid }) => jrid) });
      const rendered = await renderApp(app, `/tables/${table.guid}${search}`, {
        as: { username, password: PASSWORD },
        network,
      });
      const grid = await screen.findByRole('grid');
      await waitFor(() => {
        if (screen.queryByRole('alert')) return;
        if (grid.getAttribute('aria-busy') === 'true') throw new Error('not read yet');
        // Which columns are in sight is known a moment after the rows are.
        if (rows.length > 0 && !grid.querySelector('[data-row="0"] [data-col="1"]')) {
          throw new Error('not drawn yet');
        }
      });
      const { user } = rendered;

      const cell = (row: number, col: number): HTMLElement => {
        const found = grid.querySelector<HTMLElement>(`[data-row="${row}"] [data-col="${col}"]`);
        if (!found) throw new Error(`There is no cell ${row}, ${col}.`);
        return found;
      };
      return {
        ...rendered,
        username,
        guid: table.guid,
        path,
        grid,
        cell,
        text: (row: number, col: number) => cell(row, col).textContent,
        focus: async (row: number, col: number) => {
          await user.click(await waitFor(() => cell(row, col)));
        },
        typeInto: async (row: number, col: number, keys: string) => {
          await user.click(await waitFor(() => cell(row, col)));
          await user.keyboard(keys);
        },
        focused: () =>
          document.activeElement?.closest('[data-col]')?.getAttribute('aria-colindex') ?? null,
        foot: () => within(screen.getByRole('contentinfo')),
        /** the writes of datasets that the page sent, with their bodies and answers */
        writes: () =>
          rendered.service.calls.filter(
            // The view is kept in its own time, and telling that one looks at a dataset changes nothing.
            ({ method, url }) => method !== 'GET' && !/\/(?:lastview|viewers)(?:$|\?)/.test(url),
          ),
        stored: async (): Promise<Dataset[]> => {
          const { body } = await root.get(path);
          return datasetsAnswer.parse(body).datasets;
        },
        copy: (row: number, col: number): string | null => {
          const copied = new Map<string, string>();
          const setData = (type: string, text: string) => copied.set(type, text);
          fireEvent.copy(cell(row, col), { clipboardData: { setData } });
          return copied.get('text/plain') ?? null;
        },
        paste: (row: number, col: number, text: string) => {
          fireEvent.paste(cell(row, col), { clipboardData: { getData: () => text } });
        },
      };
    },
  };
}
