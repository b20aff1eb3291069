import { expect, test } from 'vitest';
import { editStorage, type StoredEdits } from '#web/features/data-grid/edit-store/edit-storage.ts';
import { localCipher } from '#tests/support/user-cipher.ts';
import {
  type Cells,
  type Edits,
  type NewRow,
  NO_EDITS,
} from '#web/features/data-grid/edit-store/edits.ts';
import { NO_STEPS } from '#web/features/data-grid/undo/steps.ts';

const cipher = localCipher();

const cells = (text: string): Cells =>
  new Map([
    ['a', { sequence: 1, text, base: null, status: { is: 'unread', message: 'No number.' } }],
  ]);
const rowOf = (i: number): NewRow => ({
  key: `new:${i}`,
  once: null,
  cells: cells(`row ${i}`),
  is: 'typed',
  message: null,
  stored: null,
});

/** What the next tab finds. */
async function takenOver(guid: string): Promise<StoredEdits | undefined> {
  let found: StoredEdits | undefined;
  await editStorage(`heir-${guid}`, cipher).takeOver('anna', guid, async (desk) => {
    found = desk;
  });
  return found;
}

test('thousands of records and rows are there again as they were last, in their order', async () => {
  const disk = editStorage('many', cipher);
  const records = new Map(Array.from({ length: 3000 }, (_, i) => [`${i}`, cells(`${i}`)]));
  const newRows = Array.from({ length: 450 }, (_, i) => rowOf(i));
  const first: Edits = { ...NO_EDITS, records, newRows, sequence: 9 };
  await disk.write('anna', 'many', { edits: first, steps: NO_STEPS });

  const changed = new Map(records).set('7', cells('changed')).set('5000', cells('came'));
  changed.delete('8');
  const last: Edits = { ...first, records: changed, newRows: newRows.toSpliced(210, 1) };
  await disk.write('anna', 'many', { edits: last, steps: NO_STEPS });
  await disk.leave();

  const found = await takenOver('many');
  expect(found?.edits.records).toEqual(last.records);
  expect(found?.edits.newRows).toEqual(last.newRows);
  expect(found?.edits.sequence).toBe(9);
  expect(await takenOver('many')).toBeUndefined();
});

test('what was settled was not found', async () => {
  const disk = editStorage('settled', cipher);
  const edits: Edits = { ...NO_EDITS, records: new Map([['1', cells('x')]]), newRows: [rowOf(1)] };
  await disk.write('anna', 'settled', { edits, steps: NO_STEPS });
  await disk.write('anna', 'settled', { edits: NO_EDITS, steps: NO_STEPS });
  await disk.leave();
  const found = await takenOver('settled');
  expect(found?.edits.records.size).toBe(0);
  expect(found?.edits.newRows).toEqual([]);
});
