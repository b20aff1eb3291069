/** Why a batch stopped, and why a record of it is left out: stored with the batch. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';

type Kind = 'archive' | 'table';

export const stoppedByDefect =
  'Stopped, because of an error in the service. What is done can be undone.';
export const stoppedWithoutCollection = (kind: Kind) =>
  kind === 'archive'
    ? 'Stopped, because the archive no longer exists.'
    : 'Stopped, because the table no longer exists.';
export const stoppedWithoutUser = 'Stopped, because the user who started it can no longer sign in.';
export const stoppedWithoutRight = (kind: Kind) =>
  kind === 'archive'
    ? 'Stopped, because the user who started it can no longer change this archive.'
    : 'Stopped, because the user who started it can no longer change this table.';
/** `count` records of one part of the job */
export const stoppedByChanges = ({ kind, count }: { kind: Kind; count: number }) =>
  kind === 'archive'
    ? plural(count, {
        one: 'Stopped, because a revision was changed meanwhile. What is done can be undone.',
        other: `Stopped, because ${formatCount(count)} revisions were changed meanwhile. What is done can be undone.`,
      })
    : plural(count, {
        one: 'Stopped, because a record was changed meanwhile. What is done can be undone.',
        other: `Stopped, because ${formatCount(count)} records were changed meanwhile. What is done can be undone.`,
      });

export const recordDeleted = (kind: Kind) =>
  kind === 'archive' ? 'The revision was deleted meanwhile.' : 'The record was deleted meanwhile.';
export const fieldRemoved = ({ kind, name }: { kind: Kind; name: string }) =>
  kind === 'archive'
    ? `The archive no longer has an index field ${name}.`
    : `The table no longer has a column ${name}.`;
export const keywordFieldRemoved = (name: string) =>
  `The archive no longer has a keyword field ${name}.`;
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
