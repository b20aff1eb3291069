import { expect, test } from 'vitest';
import {
  type TableStep,
  withCreated,
  withRowsDropped,
} from '#web/features/data-grid/edit-store/steps.ts';

const cellIn = (jrid: string) => ({
  jrid,
  column: 'name',
  before: { value: null },
  after: { value: 'x' },
});
const typing = (...jrids: string[]): TableStep => ({
  label: 'typing',
  cells: jrids.map(cellIn),
  created: [],
  bulkEditId: null,
});

test('a row that was created is one step in the place of what made it up; what came later stays', () => {
  const [first, filling, row] = [typing('1'), typing('1', 'new:3'), typing('new:3')];
  const [later, other] = [typing('new:3'), typing('new:9')];
  const steps = { done: [first, filling, row, other, later], undone: [typing('2')] };
  const before = new Set([first, filling, row]);
  const creations = new Map([['new:3', { jrid: '7', values: {}, historyId: null }]]);
  const { done, undone } = withCreated(steps, creations, before);
  expect(done.map(({ cells, created }) => [...cells, ...created].map(({ jrid }) => jrid))).toEqual([
    ['1'],
    // The step has written into another row too: it stays one step.
    ['1', '7'],
    ['new:9'],
    ['7'],
  ]);
  expect(done[2]).toBe(other);
  expect(undone).toEqual([]);
});

test('a row that was typed cell by cell is one step, its creation', () => {
  const steps = { done: [typing('new:3'), typing('1'), typing('new:3')], undone: [] };
  const creations = new Map([['new:3', { jrid: '7', values: {}, historyId: null }]]);
  const { done } = withCreated(steps, creations, new Set(steps.done));
  expect(done).toEqual([
    typing('1'),
    expect.objectContaining({ label: 'creating a record', cells: [] }),
  ]);
});

test('a row that is dropped takes what was typed into it along', () => {
  const steps = { done: [typing('1', 'new:3'), typing('new:3')], undone: [typing('new:3')] };
  expect(withRowsDropped(steps, new Set(['new:3']))).toEqual({ done: [typing('1')], undone: [] });
});
