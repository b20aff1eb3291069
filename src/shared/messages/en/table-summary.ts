/** The summary of a column and of the selected cells. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';

export const title = 'Summary';
export const close = 'Close the summary';
export const valuesOf = 'Values of';
export const order = 'Order';
export const byCount = 'most used first';
export const byValue = 'by value';
export const sumsOf = 'Sums of';
export const sumsOfFirst = 'sums of the first three';
export const sumsOfColumn = (column: string) => `sums of ${column}`;
export const findValueOf = (column: string) => `Find a value of ${column}`;
export const findValue = 'Find a value';
export const counting = 'Counting';
export const records = 'Records';
export const sumHeading = (column: string) => `Σ ${column}`;
export const values = ({ count, of }: { count: number; of: number }) =>
  `${formatCount(count)} of ${formatCount(of)} values.`;
export const valuesToFind = ({ count, of }: { count: number; of: number }) =>
  `${formatCount(count)} of ${formatCount(of)} values. Find others by a part of their text.`;

export const filled = 'With a value';
export const notFilled = 'Without';
export const distinct = 'Different';
export const notCounted = 'not counted';
export const sum = 'Sum';
export const mean = 'Mean';
export const from = 'From';
export const to = 'To';

// Of the selected cells, one after the other in the foot of the grid.
export const filledCells = (count: number) => `, ${formatCount(count)} with a value`;
export const selectionSum = <Part>(value: Part) => rich`sum ${value}`;
export const selectionMean = <Part>(value: Part) => rich`mean ${value}`;
export const selectionLeast = <Part>(value: Part) => rich`least ${value}`;
export const selectionGreatest = <Part>(value: Part) => rich`greatest ${value}`;
export const cellsSelected = (count: number) => `${formatCount(count)} cells selected`;
