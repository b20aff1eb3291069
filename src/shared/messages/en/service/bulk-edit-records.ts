/** Why a bulk edit stopped, and why a record of it is left out: stored with the bulk edit. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';

type Kind = 'archive' | 'table';

export const stoppedByDefect =
  'It stopped because of an error of the service. What is done can be undone.';
export const stoppedWithoutCollection = (kind: Kind) =>
  kind === 'archive'
    ? 'Stopped as there is no such archive any more.'
    : 'Stopped as there is no such table any more.';
export const stoppedWithoutUser = 'Stopped as the user who started it may not sign in any more.';
export const stoppedWithoutRight = (kind: Kind) =>
  kind === 'archive'
    ? 'Stopped as the user who started it may not change this archive any more.'
    : 'Stopped as the user who started it may not change this table any more.';
/** `count` records of one part of the job */
export const stoppedByChanges = ({ kind, count }: { kind: Kind; count: number }) =>
  kind === 'archive'
    ? plural(count, {
        one: 'Stopped as a revision was changed meanwhile. What is done can be undone.',
        other: `Stopped as ${formatCount(count)} revisions of the same part were changed meanwhile. What is done can be undone.`,
      })
    : plural(count, {
        one: 'Stopped as a record was changed meanwhile. What is done can be undone.',
        other: `Stopped as ${formatCount(count)} records of the same part were changed meanwhile. What is done can be undone.`,
      });

export const recordDeleted = (kind: Kind) =>
  kind === 'archive' ? 'The revision was deleted meanwhile.' : 'The record was deleted meanwhile.';
export const fieldRemoved = ({ kind, name }: { kind: Kind; name: string }) =>
  kind === 'archive'
    ? `The archive has no index field ${name} any more.`
    : `The table has no column ${name} any more.`;
export const keywordFieldRemoved = (name: string) =>
  `The archive has no keyword field for ${name} any more.`;
export const changedSince = 'It was changed, locked or deleted since then.';
export const noRevision = (id: number) => `There is no revision ${id}.`;
export const noIndexField = (name: string) => `There is no index field ${name}.`;
export const fieldProblem = ({ name, problem }: { name: string; problem: string }) =>
  `${name}: ${problem}`;
/** `problem` is one or more sentences. */
export const rowProblem = ({ line, problem }: { line: number; problem: string }) =>
  `Row ${line}: ${problem}`;

/** The headers of the CSV of refused rows that follow the columns of the imported file. */
export const rowHeader = 'Row';
export const reasonHeader = 'Reason';
