import { coded } from '#shared/messages/message.ts';

type Kind = { kind: 'archive' | 'table' };

export const nameTaken = coded(
  'definitions.nameTaken',
  ({ kind, name }: Kind & { name: string }) =>
    `The name ${name} belongs to another ${kind}, which may be retired.`,
);
export const guidTaken = coded(
  'definitions.guidTaken',
  ({ kind }: Kind) =>
    `The GUID belongs to ${kind === 'archive' ? 'an archive' : 'a table'}, which may be retired.`,
);
export const checkReserved = coded(
  'definitions.checkReserved',
  'The name check is reserved for the findings of checks.',
);
export const noneOfName = coded(
  'definitions.noneOfName',
  ({ kind, name }: Kind & { name: string }) => `There is no ${kind} ${name}.`,
);
export const noFieldLeft = coded('definitions.noFieldLeft', ({ kind }: Kind) =>
  kind === 'archive'
    ? 'An archive needs at least one index field that is not retired.'
    : 'A table needs at least one column that is not retired.',
);
export const noColumn = coded(
  'definitions.noColumn',
  ({ name }: { name: string }) => `There is no column ${name}.`,
);
export const columnTwice = coded(
  'definitions.columnTwice',
  ({ name }: { name: string }) => `The column ${name} occurs more than once in one list.`,
);
export const optionTwice = coded(
  'definitions.optionTwice',
  ({ option }: { option: string }) => `The option ${option} occurs more than once.`,
);
export const noFieldOfCheck = coded(
  'definitions.noFieldOfCheck',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const guidStays = coded('definitions.guidStays', 'The GUID cannot be changed.');
export const nothingToRename = coded(
  'definitions.nothingToRename',
  ({ name }: { name: string }) => `There is no field ${name} that could be renamed.`,
);
export const renamedTwice = coded(
  'definitions.renamedTwice',
  ({ name }: { name: string }) => `The field ${name} is renamed more than once.`,
);
export const nameOfRetired = coded(
  'definitions.nameOfRetired',
  ({ name }: { name: string }) =>
    `The name ${name} belongs to a retired field. Restore that field, or choose another name.`,
);
export const jobRunning = coded(
  'definitions.jobRunning',
  ({ job }: { job: number }) =>
    `The job ${job} is changing the definition. Wait until it is done, or cancel it.`,
);
export const noJob = coded('definitions.noJob', 'There is no job with this id.');
export const ifMatchMissing = coded(
  'definitions.ifMatchMissing',
  'Send the ETag of the definition that you have changed in the header If-Match.',
);
export const changedMeanwhile = coded(
  'definitions.changedMeanwhile',
  'The definition was changed meanwhile. Read it again, and repeat your change.',
);
export const valuesMisfit = coded('definitions.valuesMisfit', ({ count }: { count: number }) =>
  count === 1
    ? 'One stored value does not fit the new rule.'
    : `${count} stored values do not fit the new rule.`,
);
export const isRetired = coded('definitions.isRetired', ({ kind }: Kind) =>
  kind === 'archive'
    ? 'The archive is retired. Restore it before you change its definition.'
    : 'The table is retired. Restore it before you change its definition.',
);
export const checkBroken = coded(
  'definitions.checkBroken',
  ({ kind, name, path, problem }: Kind & { name: string; path: string; problem: string }) =>
    `Change the checks of the ${kind} ${name} first: ${path} would no longer be valid. ${problem}`,
);
export const jobFailed = coded(
  'definitions.jobFailed',
  ({ job }: { job: number }) =>
    `The job ${job} failed, and the definition is unchanged. The reason is in the log of the service.`,
);
export const jobCancelled = coded(
  'definitions.jobCancelled',
  ({ job }: { job: number }) => `The job ${job} was cancelled, and the definition is unchanged.`,
);
export const noEntry = coded(
  'definitions.noEntry',
  'There is no entry with this id in the history of the definition.',
);
export const nothingBefore = coded(
  'definitions.nothingBefore',
  'There was no definition before this entry.',
);
export const confirmNeeded = coded(
  'definitions.confirmNeeded',
  ({ name }: { name: string }) =>
    `To delete it permanently, confirm it by its name: {"confirm": "${name}"}.`,
);
export const confirmWithoutPurge = coded(
  'definitions.confirmWithoutPurge',
  'A confirmation is only for a permanent deletion (purge=true). Nothing was changed.',
);
export const notRetired = coded(
  'definitions.notRetired',
  ({ name }: { name: string }) => `${name} is in use. Retire it before you delete it permanently.`,
);
export const noField = coded(
  'definitions.noField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
/** Replaces the reason of an exception from a check. */
export const reasonPurged = 'The reason was deleted with the values of a field.';
