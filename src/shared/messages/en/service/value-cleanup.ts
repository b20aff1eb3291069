/** The texts of the service about nearly equal values of one field. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';

export const textOnly = coded(
  'valueCleanup.textOnly',
  ({ name, type }: { name: string; type: string }) =>
    `Values that are nearly equal are looked for in text fields; ${name} is of type ${type}.`,
);
export const tooManyValues = ({ values, compared }: { values: number; compared: number }) =>
  `The field has ${formatCount(values)} different values. Only the ${formatCount(compared)} most used ones were compared. Narrow the list by a filter to compare the others.`;
export const tooSimilar =
  'The values have too much in common to compare all of them. Values with equal words are all found. Narrow the list by a filter, or allow fewer letters to differ.';
export const tooManyClusters = ({ clusters, shown }: { clusters: number; shown: number }) =>
  `${formatCount(clusters)} groups were found. These are the ${formatCount(shown)} that change most records; look again when they are corrected.`;
/** a note of an import about a value that was corrected before */
export const corrected = ({ label, from, to }: { label: string; from: string; to: string }) =>
  `${label}: “${from}” was corrected to “${to}”.`;
export const noAlias = coded('valueCleanup.noAlias', 'There is no such alias.');
export const unique = coded(
  'valueCleanup.unique',
  ({ name }: { name: string }) =>
    `${name} takes each value in one record only, so no two values of it can become one. Merge the records instead.`,
);
export const replacedTwice = coded(
  'valueCleanup.replacedTwice',
  ({ value }: { value: string }) => `“${value}” is to be replaced twice. Name it once.`,
);
export const alsoReplaced = coded(
  'valueCleanup.alsoReplaced',
  ({ value }: { value: string }) =>
    `“${value}” is to be replaced itself. Name the value that is right in the end.`,
);
