/** The outcome of an undo in the grid of a table: a sentence about the step, and what it has left unchanged. */

export const undone = (step: string) => `Undone: ${step}.`;
export const redone = (step: string) => `Redone: ${step}.`;
export const notUndone = (step: string) => `Not undone: ${step}.`;
export const notRedone = (step: string) => `Not redone: ${step}.`;
export const recordChangedBy = ({ person, at }: { person: string; at: string }) =>
  `${person} has changed the record, ${at}.`;
export const recordDeletedBy = ({ person, at }: { person: string; at: string }) =>
  `${person} has deleted the record, ${at}.`;
export const existsAlready = 'It already exists again.';
export const goneAlready = 'It is already deleted.';
export const record = (jrid: string) => `Record ${jrid}`;
export const cell = ({ jrid, column }: { jrid: string; column: string }) =>
  `Record ${jrid}, ${column}`;
