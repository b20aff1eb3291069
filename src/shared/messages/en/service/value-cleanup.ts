/** The texts of the service about nearly equal values of one field. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';

export const textOnly = coded(
  'valueCleanup.textOnly',
  ({ name, type }: { name: string; type: string }) =>
    `Only text fields can be searched for values that are nearly equal; ${name} is of type ${type}.`,
);
export const tooManyValues = ({ values, compared }: { values: number; compared: number }) =>
  `The field has ${formatCount(values)} different values. Only the ${formatCount(compared)} most used ones were compared. Narrow the list by a filter to compare the others.`;
export const tooSimilar =
  'The values are too similar to compare all of them. All values with equal words are found. Narrow the list by a filter, or allow fewer letters to differ.';
export const tooManyClusters = ({ clusters, shown }: { clusters: number; shown: number }) =>
  `${formatCount(clusters)} groups were found. These are the ${formatCount(shown)} that change most records; look again when they are corrected.`;
/** a note of an import about a value that was corrected before */
export const corrected = ({ label, from, to }: { label: string; from: string; to: string }) =>
  `${label}: “${from}” was corrected to “${to}”.`;
export const noAlias = coded('valueCleanup.noAlias', 'There is no such alias.');
export const unique = coded(
  'valueCleanup.unique',
  ({ name }: { name: string }) =>
    `The values of ${name} must be unique, so two of them cannot become one. Merge the records instead.`,
);
export const replacedTwice = coded(
  'valueCleanup.replacedTwice',
  ({ value }: { value: string }) => `“${value}” is named more than once. Name it once.`,
);
export const alsoReplaced = coded(
  'valueCleanup.alsoReplaced',
  ({ value }: { value: string }) => `“${value}” would be replaced itself. Use the final value.`,
);
