/** The page of figures about what checks find. */
import { formatCount, formatNumber } from '../format.ts';
import { plural } from './language.ts';

export const titleOf = (of: string) => `Figures: ${of}`;
export const toList = 'Back to the list';
export const period = 'Period';
export const days = (count: number) => `${formatCount(count)} days`;
export const year = '1 year';
export const notRead = 'The figures could not be loaded.';
export const noChecks = 'There are no checks.';
export const noChecksMore =
  'An administrator adds checks to the definition. Their findings are counted from then on.';
export const nothingFound = 'The checks find nothing.';
export const nothingFoundMore = 'Nothing was corrected in this period either.';

export const now = 'Now';
export const records = 'Records that are checked';
export const withFindings = 'With findings';
export const withoutFindings = 'Without findings';
export const corrected = 'Corrected';
export const ownCorrections = 'Corrected by you';
export const ownUnknown = 'not shown in this view';
/** of a part of all */
export const partOf = ({ count, share }: { count: number; share: number }) =>
  `${formatCount(count)} (${percent(share)})`;
export const percent = (share: number) => `${formatNumber(share * 100, 1, 1)} %`;
/** of findings that were corrected, of all that there were */
export const correctedOf = ({ count, all }: { count: number; all: number }) =>
  `${formatCount(count)} of ${formatCount(all)} (${percent(count / all)})`;
export const none = '–';
export const aboutCorrections =
  'A finding counts as corrected when its record is changed so that the check does not find it any more, or is deleted. Exceptions (Right as it is) do not count. The share is of the findings that were corrected in the period and those that are left.';

export const overTime = 'Over time';
export const checksOverTime = 'Checks over time';
export const recordsOverTime = 'Records with findings';
export const correctedPerDay = 'Corrected per day';
export const noDaysYet =
  'Counts are stored once a day. There is a plot as soon as two days are known.';
export const asTable = 'As a table';
export const asTableOf = (chart: string) => `As a table: ${chart}`;
export const day = 'Day';
/** the first and last day of a plot */
export const fromTo = ({ from, to }: { from: string; to: string }) => `${from} to ${to}`;
export const sinceBefore = 'The days between have the number of the day before.';

export const byCheck = 'By check';
export const check = 'Check';
export const blocks = 'Blocks saving';
export const findings = 'Findings';
export const share = 'Share';
export const beingCounted = 'being counted';
export const partHidden = 'not known: fields of the check are hidden from you';
export const examples = (label: string) => `Show the records: ${label}`;

export const byField = 'By field';
export const field = 'Field';
export const aboutFields = 'A finding counts for each field that it marks.';
export const byOrigin = 'By origin';
export const origin = 'Origin';
export const aboutOrigins =
  'The origin of the newest value that a finding marks, according to the history. The history does not distinguish a program from the person whose account it uses.';
export const examined = (count: number) =>
  plural(count, {
    one: 'Only the newest record with findings is counted here.',
    other: `Only the newest ${formatCount(count)} records with findings are counted here.`,
  });
export const origins = {
  load: 'Loaded',
  import: 'Imported from a spreadsheet',
  paste: 'Pasted',
  edit: 'Bulk edit',
  bulk: 'Bulk edit, import or paste (no longer known which)',
  undo: 'Restored by undo',
  person: 'A person (or a program that uses a person’s account)',
  definition: 'Changed definition',
  other: 'Other commands',
};

export const byPerson = 'Corrected by';
export const person = 'Person';
export const unknownPerson = 'Not known';
export const aboutPeople =
  'Only users with the right to manage the archive or table see this, because a setting of the service turns it on. The persons behind changes of many records at once are not known.';
