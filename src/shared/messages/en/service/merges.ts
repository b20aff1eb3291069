/** Merges of records of a table. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
import { plural } from '../language.ts';

export const mergedIntoItself = coded(
  'merges.mergedIntoItself',
  ({ jrid }: { jrid: number }) => `The record ${jrid} is named more than once.`,
);
export const collectionGone = coded(
  'merges.collectionGone',
  'An archive or table whose look-ups the merge has changed no longer exists for you.',
);
export const referencesForbidden = coded(
  'merges.referencesForbidden',
  'Records that you cannot change look up values of these records. Ask an administrator to merge them.',
);
export const valueNeeded = coded(
  'merges.valueNeeded',
  ({ of, field, count }: { of: string; field: string; count: number }) =>
    plural(count, {
      one: `1 record of ${of} looks this value up in ${field}. Choose a value.`,
      other: `${formatCount(count)} records of ${of} look this value up in ${field}. Choose a value.`,
    }),
);
export const tooManyReferences = coded(
  'merges.tooManyReferences',
  ({ of, field, max }: { of: string; field: string; max: number }) =>
    `More than ${formatCount(max)} records look up values of these records, ${of} in ${field} among them. Change most of them by a bulk edit first.`,
);
