import { expect, it } from 'vitest';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { outcomesOf } from '#web/features/bulk-jobs/outcomes.ts';

/** An import that runs, with these counts. */
const importWith = (counts: Partial<AnsweredBulkEdit['counts']>): AnsweredBulkEdit => ({
  bulkEditId: '1',
  kind: 'import',
  state: 'applying',
  edits: [],
  counts: {
    total: 0,
    changed: 0,
    unchanged: 0,
    invalid: 0,
    missing: 0,
    pending: 0,
    done: 0,
    conflicts: 0,
    locked: 0,
    takenBack: 0,
    left: 0,
    ...counts,
  },
  onChanged: 'leaveOut',
  createdAt: '2026-11-29T08:00:00.000Z',
  createdBy: 'anna',
  finishedAt: null,
  message: null,
});
const counted = (...given: Parameters<typeof outcomesOf>) =>
  outcomesOf(...given).map(({ outcome, count }) => [outcome, count]);

it('The outcomes of a running import that only createsRecords records are those of its own counts', () => {
  const running = importWith({ created: 5, done: 3, pending: 2 });
  expect(counted(running, { done: 1, pending: 4 })).toEqual([
    ['new', 2],
    ['created', 3],
  ]);
});

it('The outcomes of an import that also changes records distinguish those that are new', () => {
  const running = importWith({ created: 5, changed: 2, done: 4, pending: 3 });
  expect(counted(running, { done: 3, pending: 2 })).toEqual([
    ['new', 2],
    ['changed', 1],
    ['created', 3],
    ['done', 1],
  ]);
});
