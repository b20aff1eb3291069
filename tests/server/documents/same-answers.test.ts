/** @module-tag long */
/** @module-tag postgres */
import { expect, it } from 'vitest';
import { testDatabases } from '#tests/support/databases.ts';
import { answersOfAllCalls } from './all-calls.ts';

const sqlite = testDatabases('sqlite');
const postgres = testDatabases('postgres');
const plain = testDatabases('postgres without trigrams');

it('all databases answer the same, to the byte', async () => {
  const wanted = await answersOfAllCalls(sqlite.open);
  for (const { open } of [postgres, plain]) {
    const given = await answersOfAllCalls(open);
    expect(given.length).toBe(wanted.length);
    for (const [i, answer] of wanted.entries()) expect(given[i]).toBe(answer);
  }
});
