import { expect, test } from 'vitest';
import { createStore } from '#web/api/create-store.ts';
import { NO_EDITS } from '#web/features/data-grid/edit-store/edits.ts';
import { createStepStore } from '#web/features/data-grid/edit-store/step-store.ts';
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

test('two rows that are sent before either is created are a step each', () => {
  const { steps, push, onSending } = createStepStore(createStore(NO_EDITS));
  push(typing('new:3'));
  push(typing('new:4'));
  const [onFirst, onSecond] = [onSending(), onSending()];
  onFirst(new Map([['new:3', { jrid: '7', values: {}, historyId: null }]]));
  onSecond(new Map([['new:4', { jrid: '8', values: {}, historyId: null }]]));
  const { done } = steps.get();
  expect(done.flatMap(({ cells }) => cells)).toEqual([]);
  expect(new Set(done.map(({ created: [record] }) => record?.jrid))).toEqual(new Set(['7', '8']));
});

test('rows that are sent one after the other, before any is created, stay in their order', () => {
  const { steps, push, onSending } = createStepStore(createStore(NO_EDITS));
  const rows = ['3', '4', '5'].map((id) => {
    push(typing(`new:${id}`));
    return { id, onCreated: onSending() };
  });
  for (const { id, onCreated } of rows) {
    onCreated(new Map([[`new:${id}`, { jrid: id, values: {}, historyId: null }]]));
  }
  const { done } = steps.get();
  expect(done.map(({ created: [record] }) => record?.jrid)).toEqual(['3', '4', '5']);
});

test('a row that is dropped takes what was typed into it along', () => {
  const steps = { done: [typing('1', 'new:3'), typing('new:3')], undone: [typing('new:3')] };
  expect(withRowsDropped(steps, new Set(['new:3']))).toEqual({ done: [typing('1')], undone: [] });
});
