/** The page that cleans up the values of one field. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = (field: string) => `Clean up values: ${field}`;
export const toList = 'Back to the list';
export const noField = 'There is no text field with this name.';
export const keySection = 'Values that are nearly equal';

export const whichValues = 'Values with equal words, values that differ by letters, or all';
export const equalWords = 'Equal words';
export const oneLetter = '1 letter';
export const twoLetters = '2 letters';
export const allValues = 'All values';
export const filtered = 'Only of the records that the list shows.';
export const takeAll = 'Use all records';

export const comparing = 'Comparing the values';
export const clustersNotRead = 'The values could not be compared';
export const nothingSimilar = (values: number) =>
  plural(values, {
    one: 'There is only one value.',
    other: `No two of the ${formatCount(values)} values are nearly equal.`,
  });
export const tryMoreLetters = 'Allow more letters to differ to find others.';
const groups = (count: number) =>
  plural(count, { one: '1 group', other: `${formatCount(count)} groups` });
export const found = ({ clusters, values }: { clusters: number; values: number }) =>
  `${groups(clusters)} of nearly equal values among ${formatCount(values)} different ones.`;
export const clusters = 'Groups of nearly equal values';
export const moreClusters = (count: number) =>
  plural(count, {
    one: 'Show the other group',
    other: `Show more of the other ${formatCount(count)} groups`,
  });
export const correctTo = (value: string) => `Correct all to “${value}”`;
export const rightValue = (value: string) => `The right value of the group “${value}”`;
/** `distance`: letters in which its values differ */
export const clusterWords = ({ records, distance }: { records: number; distance: number }) =>
  plural(distance, {
    one: `${formatCount(records)} records · 1 letter differs`,
    other:
      distance === 0
        ? `${formatCount(records)} records · equal words`
        : `${formatCount(records)} records · ${formatCount(distance)} letters differ`,
  });
export const keep = 'Keep';
export const keepValue = (value: string) => `Keep “${value}” as it is`;

export const chosen = (of: { clusters: number; values: number; records: number }) =>
  of.clusters === 0
    ? 'Choose the groups to correct.'
    : `${groups(of.clusters)} chosen: ${plural(of.values, { one: '1 value', other: `${formatCount(of.values)} values` })} in ${plural(of.records, { one: '1 record', other: `${formatCount(of.records)} records` })} will change.`;
export const tooMuch = ({ values, most }: { values: number; most: number }) =>
  `${formatCount(values)} values are chosen; at most ${formatCount(most)} can be corrected at once. Choose fewer groups.`;
export const chooseAll = 'Choose all';
export const chooseNone = 'Choose none';
export const preview = 'Preview…';
export const lossWarning = 'The chosen groups are not corrected yet. Your choices will be lost.';
export const notPlanned = 'The correction could not be planned';

export const remember = 'Correct in imports and pastes too';
export const remembered = 'Remembered';
export const nothingRemembered = 'Nothing is remembered for this field.';
export const rememberedHint = 'Imports and pastes of many rows correct these values.';
export const aliasesNotRead = 'The remembered values could not be loaded';
export const notForgotten = 'The value was not forgotten';
export const alias = 'Value';
export const becomes = 'Is corrected to';
export const actions = 'Actions';
export const forget = 'Forget';
export const forgetValue = (value: string) => `Forget “${value}”`;

export const searchValues = (field: string) => `Search in the values of ${field}`;
export const valuesNotRead = 'The values could not be loaded';
export const valueCount = (count: number) =>
  plural(count, { one: '1 different value', other: `${formatCount(count)} different values` });
export const records = 'Records';
export const noValue = 'No value';

export const keys = {
  right: 'Choose the right value of the group',
  accept: 'Correct the group, and go to the next',
  refuse: 'Leave the group as it is, and go to the next',
  next: 'Next group',
  previous: 'Previous group',
  preview: 'Preview of the correction',
};
