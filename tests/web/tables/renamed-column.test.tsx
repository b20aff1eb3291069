/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { writeEdits } from '#web/features/data-grid/edit-store/edit-database.ts';
import { NO_EDITS } from '#web/features/data-grid/edit-store/edits.ts';
import { NO_STEPS } from '#web/features/data-grid/edit-store/steps.ts';
import { cipherOf } from '#tests/support/user-cipher.ts';
import { buildColumn } from './columns.ts';
import { COL, openGrids } from './open-grids.tsx';
import { typeText } from './type-text.ts';

const GONE = 'The table no longer has this column.';
const grids = await openGrids();

/** An administrator renames the column `note` to `remark`. */
async function rename(guid: string) {
  const path = `configuration/tables/${guid}`;
  const { body, headers } = await grids.root.get(path);
  const [defined] = definedTablesAnswer.parse(body).tables;
  const columns = defined?.columns.map((column) =>
    column.name === 'note' ? { ...column, name: 'remark', renamedFrom: 'note' } : column,
  );
  const { status, text } = await grids.root.put(
    path,
    { table: { ...defined, columns } },
    { headers: { 'if-match': String(headers['etag']) } },
  );
  if (status !== 200) throw new Error(text);
}

/** Opens a table of which a column is renamed while it is open. Its rows are not read again. */
async function openRenamed() {
  const page = await grids.open();
  const { guid, queryClient } = page;
  const readDefinition = () =>
    queryClient.invalidateQueries({ queryKey: tableQuery(guid).queryKey });
  return {
    ...page,
    rename: async () => {
      await rename(guid);
      await readDefinition();
    },
  };
}

/** The list of what cannot be saved. */
const problems = async (user: UserEvent) => {
  const tray = within(await screen.findByRole('region', { name: 'Not saved' }));
  await user.click(tray.getByRole('button', { name: 'Not saved' }));
  return tray;
};

test('a new row is not created without what was typed into a column that was renamed', async () => {
  const { typeInto, focus, rename, stored, user } = await openRenamed();
  await typeInto(3, COL.code, 'A-4{Tab}Screw{Tab}Text');
  await rename();
  await focus(0, COL.code);
  (await problems(user)).getByText(GONE, { exact: false });
  expect(await stored()).toHaveLength(3);
});

test('a value is not replaced that is not shown because its column was renamed', async () => {
  const { typeInto, cell, text, rename, stored } = await openRenamed();
  await rename();
  await waitFor(() => expect(text(0, COL.note)).toBe(''));
  await typeInto(0, COL.note, 'Text{Enter}');
  await waitFor(() => expect(cell(0, COL.note).dataset['status']).toBe('conflict'));
  expect((await stored())[0]).toMatchObject({ remark: 'one\r\ntwo' });
});

test('the text of an open cell is kept when its column is renamed', async () => {
  const { typeInto, focus, rename, user, text } = await openRenamed();
  await typeInto(1, COL.note, 'Text');
  await rename();
  expect((await problems(user)).getByRole('listitem').textContent).toContain('“Text”');
  // The grid takes keys again.
  await focus(1, COL.name);
  await user.keyboard('Washer{Enter}');
  await waitFor(() => expect(text(1, COL.name)).toBe('Washer'));
});

test('a cell that was emptied in a closed tab is not taken for saved after a rename', async () => {
  const note = buildColumn('note');
  const { user } = await grids.open({
    before: async ({ username, guid, jrids }) => {
      const cipher = cipherOf(await grids.signedIn(username));
      const location = { username, guid: guid.toLowerCase(), tab: 'closed' };
      const was = 'one\r\ntwo';
      const typed = { initialValue: was, stored: was };
      const edits = typeText(NO_EDITS, jrids[0] ?? '', note, null, typed);
      await writeEdits(location, { edits, steps: NO_STEPS }, cipher);
      await rename(guid);
    },
  });
  expect((await problems(user)).getByRole('listitem').textContent).toContain(GONE);
});
