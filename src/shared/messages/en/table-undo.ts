/** Undo in the grid of a table. `step` names an undo step: one of the first texts. `reason` is a sentence. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const typing = 'typing';
export const pasting = 'pasting';
export const suggestion = 'a suggestion of a check';
export const emptying = 'emptying cells';
export const filling = 'filling cells';
export const fillingDown = 'filling down';
export const fillingRight = 'filling to the right';
export const restoring = 'restoring';
export const creating = 'creating a record';
export const closedTab = 'entries of a closed tab';
export const deleting = (count: number) =>
  plural(count, { one: 'deleting a record', other: `deleting ${formatCount(count)} records` });

export const undo = 'Undo';
export const redo = 'Redo';
export const undoStep = ({ step, key }: { step: string; key: string }) => `Undo: ${step} (${key})`;
export const redoStep = ({ step, key }: { step: string; key: string }) => `Redo: ${step} (${key})`;
export const doneWhenBack = 'The server cannot be reached. This is done as soon as it is back.';
export const nothingUndone = (reason: string) => `Nothing was undone. ${reason}`;

// The outcome: a sentence about the step, one about the cells that were left, and one for each of them.
export const undone = (step: string) => `Undone: ${step}.`;
export const redone = (step: string) => `Redone: ${step}.`;
export const notUndone = (step: string) => `Not undone: ${step}.`;
export const notRedone = (step: string) => `Not redone: ${step}.`;
export const titleUndone = (step: string) => `Undone: ${step}`;
export const titleRedone = (step: string) => `Redone: ${step}`;
export const cellsLeft = (count: number) =>
  plural(count, {
    one: '1 cell was changed since then and stays as it is:',
    other: `${formatCount(count)} cells were changed since then and stay as they are:`,
  });
export const leftBy = (of: { column: string; person: string; at: string }) =>
  `${of.column} by ${of.person}, ${of.at}.`;
export const leftDeletedBy = (of: { column: string; person: string; at: string }) =>
  `${of.column}: ${of.person} has deleted the record, ${of.at}.`;
export const recordChangedBy = ({ person, at }: { person: string; at: string }) =>
  `${person} has changed the record, ${at}.`;
export const recordDeletedBy = ({ person, at }: { person: string; at: string }) =>
  `${person} has deleted the record, ${at}.`;
export const existsAlready = 'It already exists again.';
export const goneAlready = 'It is already deleted.';
export const record = (jrid: string) => `Record ${jrid}`;
export const cell = ({ jrid, column }: { jrid: string; column: string }) =>
  `Record ${jrid}, ${column}`;
