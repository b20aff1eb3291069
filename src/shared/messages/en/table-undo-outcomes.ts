/** The outcome of an undo in the grid of a table: a sentence about the step, and what was left unchanged. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const undone = (step: string) => `Undone: ${step}.`;
export const redone = (step: string) => `Redone: ${step}.`;
export const notUndone = (step: string) => `Not undone: ${step}.`;
export const notRedone = (step: string) => `Not redone: ${step}.`;
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
