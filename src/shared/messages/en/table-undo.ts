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
