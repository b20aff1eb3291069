/** The content of spreadsheet cells. */
import { formatCount } from '../format.ts';

/** in place of a text that does not fit into a cell */
export const tooLongForCell = (length: number) =>
  `[${formatCount(length)} characters, too long for a spreadsheet; left as it is]`;
