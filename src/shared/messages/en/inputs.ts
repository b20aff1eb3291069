/** Inputs and lists of options. */
import { formatCount } from '../format.ts';

export const suggestions = 'Suggestions';
export const options = 'Options';
export const records = 'Records';
export const chooseByKeys = '↓ and Enter choose one';
/** The first one of the list is marked already. */
export const enterChooses = 'Enter chooses the marked one, ↓ marks the next';
export const shownOf = ({ shown, total }: { shown: number; total: number }) =>
  `${formatCount(shown)} of ${formatCount(total)}: type more to find others`;
export const clear = 'Clear the value';
export const nothingFound = 'No match';
export const empty = 'Empty';
export const yes = 'Yes';
export const no = 'No';
/** of keywords or files */
export const none = 'none';
/** Between an old value and a new one, for screen readers. */
export const becomes = 'becomes';
export const openCalendar = 'Open calendar';
export const removeKeyword = (keyword: string) => `Remove ${keyword}`;
export const typeKeyword = 'Type and press Enter';
/** A moment by the clock of the user. */
export const localTime = (moment: string) => `${moment} here`;
