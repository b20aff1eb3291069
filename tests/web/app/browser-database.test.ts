import { deleteDB, openDB, type DBSchema } from 'idb';
import { expect, it } from 'vitest';
import { browserDatabase } from '#web/api/browser-database.ts';

interface Notes extends DBSchema {
  readonly notes: { readonly key: string; readonly value: string };
}

it('A database of the browser is opened again after another page has taken it', async () => {
  const open = browserDatabase<Notes>('notes', (database) => database.createObjectStore('notes'));
  await (await open()).put('notes', 'first', 'a');

  const newer = await openDB('notes', 2);
  newer.close();
  await deleteDB('notes');

  const database = await open();
  await database.put('notes', 'second', 'a');
  expect(await database.get('notes', 'a')).toBe('second');
});
