/** Words that many screens use. Texts of one subject are in its own file. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
export const tryAgain = 'Try again';
export const reloadPage = 'Reload the page';
export const loading = 'Loading';
export const progress = 'Progress';
export const done = 'Done';
export const revisionId = 'Revision id';
export const indexFields = 'Index fields';
export const recordNumber = 'Record number (jrid)';
export const today = 'Today';
export const yesterday = 'Yesterday';
export const thisWeek = 'This week';
export const last7Days = 'Last 7 days';
export const thisMonth = 'This month';
export const lastMonth = 'Last month';
export const thisYear = 'This year';
export const lastYear = 'Last year';
export const valueRequired = 'A value is required';
export const storedValue = (warning: string) => `Stored value: ${warning}`;
export const was = 'was';
export const restore = (label: string) => `Restore ${label}`;
export const noValue = 'no value';
export const emptyText = 'empty text';
export const enterValue = 'Enter a value.';
export const cancel = 'Cancel';
export const close = 'Close';
/** In a list of what did not happen, with the reason of each. */
export const withReason = <Part>(subject: Part, reason: string) => rich`${subject}: ${reason}`;
export const moreItems = (count: number) => `and ${formatCount(count)} more`;
/** Why a control is disabled in the view of an administrator who sees as another user. */
export const seenAsCannotChange = 'Nothing can be changed while you see as another user.';
export const showMore = 'Show more';
export const keyboardShortcuts = 'Keyboard shortcuts';
export const notices = 'Notices';
export const moreCommands = 'More commands';
export const restoreOldValue = 'Restore the old value';
export const restoreOldValueByKey = (key: string) => `Restore the old value  ${key}`;
export const columns = 'Columns';
/** the user's position in a queue, from 1 */
export const queuePosition = ({ position, total }: { position: number; total: number }) =>
  `${formatCount(position)} of ${formatCount(total)}`;
export const queuePositionIn = (of: { name: string; position: number; total: number }) =>
  `${of.name}: ${formatCount(of.position)} of ${formatCount(of.total)}`;
export const reconnecting = 'The server cannot be reached. Trying again… What you typed is kept.';
export const typeAgain =
  'What you typed was not entered, because the cell was not loaded yet. Type it again.';
/** a row of a spreadsheet or a paste, by its number */
export const row = (line: number) => `Row ${line}`;

/** The tooltip of a button: its label and its shortcut. */
export const withKey = ({ label, key }: { label: string; key: string }) => `${label}  ${key}`;
