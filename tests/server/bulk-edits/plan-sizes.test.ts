import { expect, it } from 'vitest';
import { planRows, type RowToPlan } from '#server/modules/bulk-edits/bulk-edits.service.ts';
import { PlanTally } from '#server/modules/bulk-edits/plan-tally.ts';
import { buildArchive, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const { open } = testDatabases('sqlite');
const MEGABYTE = 1_000_000;

it('A plan counts the texts of a row once that replaces another', async () => {
  const archive = await buildArchive(await open(), [{ name: 'NAME' }]);
  const tally = new PlanTally();
  const characters = 200 * MEGABYTE;
  const long = 'x'.repeat(characters);
  const row = {
    rowId: 1,
    version: 1,
    outcome: 'changed' as const,
    changes: [{ name: 'NAME', before: null, after: long }],
    keywordChanges: [],
    refused: null,
    message: null,
    findings: { brings: ['LARGE'], removes: [] },
  };
  tally.add(row);
  tally.add({ ...row, rowId: 2 });
  for (const position of [0, 1]) {
    const replaces = { position, outcome: row.outcome, findings: row.findings, characters };
    tally.add({ ...row, rowId: position + 1, outcome: 'invalid', replaces });
  }
  expect(tally.counts(archive)).toMatchObject({ total: 2, invalid: 2, changed: 0, findings: {} });
  expect(() => tally.add(row)).toThrow('have more than 500,000,000 characters');
});

it('Rows with large texts after small ones are not planned many at a time', async () => {
  const database = await open();
  const archive = await buildArchive(database, [{ name: 'NAME' }]);
  const small = 100;
  let unplanned = 0;
  let most = 0;
  function* rows(): Generator<RowToPlan> {
    for (let line = 1; line <= small + 20; line += 1) {
      const isLarge = line > small;
      if (isLarge) unplanned += 1;
      most = Math.max(most, unplanned);
      yield {
        line,
        id: null,
        named: false,
        ifMatch: null,
        characters: isLarge ? MEGABYTE : 1,
        read() {
          unplanned = 0;
          return { values: new Map(), keywords: new Map(), problems: [] };
        },
        gives: () => false,
        refused: () => null,
      };
    }
  }
  const source = { from: 'file', fileName: null, mode: 'create', key: null, read: rows } as const;
  const { counts } = await planRows(database, archive, buildWriter(), source);
  expect(counts).toMatchObject({ total: small + 20, created: small + 20 });
  expect(most).toBeLessThanOrEqual(2);
});
