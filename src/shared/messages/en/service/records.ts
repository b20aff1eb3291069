import { coded } from '#shared/messages/message.ts';
export const noCheck = coded(
  'records.noCheck',
  ({ name }: { name: string }) => `There is no check ${name}.`,
);
export const noDuplicates = coded(
  'records.noDuplicates',
  ({ name }: { name: string }) => `The check ${name} does not look for duplicates.`,
);
export const noSuchGroup = coded(
  'records.noSuchGroup',
  'This is not the position of a group; use the `next` of the previous page.',
);
export const nothingFound = coded(
  'records.nothingFound',
  ({ name }: { name: string }) => `The check ${name} finds nothing wrong.`,
);
export const withMissing = coded(
  'records.withMissing',
  'Name the records that are not duplicates of this one.',
);
export const withOfRule = coded('records.withOfRule', '`with` is only for checks on duplicates.');
export const noSuchDuplicate = coded(
  'records.noSuchDuplicate',
  ({ id }: { id: string }) => `This record is not a duplicate of: ${id}.`,
);
export const checkNotMet = coded('records.checkNotMet', ({ label }: { label: string }) =>
  /[.!?]$/.test(label) ? label : `${label}.`,
);
export const noFieldOfName = coded(
  'records.noFieldOfName',
  ({ what, name }: { what: string; name: string }) => `There is no ${what} ${name}.`,
);
export const fieldNamedTwice = coded(
  'records.fieldNamedTwice',
  ({ what }: { what: string }) => `The ${what} is named more than once.`,
);
export const noSumByKeyword = coded(
  'records.noSumByKeyword',
  'Groups by a keyword field have no sums, as a record may be in several of them.',
);
export const noKeywordField = coded(
  'records.noKeywordField',
  ({ name }: { name: string }) => `There is no keyword field ${name}.`,
);
export const noRecordOfId = coded(
  'records.noRecordOfId',
  ({ what, id }: { what: string; id: number }) => `There is no ${what} ${id}.`,
);
export const locked = coded(
  'records.locked',
  ({ what, by, at }: { what: string; by: string; at: string }) =>
    `The ${what} has been locked by ${by} since ${at}.`,
);
export const changedMeanwhile = coded(
  'records.changedMeanwhile',
  ({ what, changedBy, changedAt }: { what: string; changedBy: string; changedAt: string }) =>
    `The ${what} was changed meanwhile, last by ${changedBy} at ${changedAt}.`,
);
export const fieldReadOnly = coded(
  'records.fieldReadOnly',
  'You can read this field, but not change it.',
);
export const fieldMissing = coded(
  'records.fieldMissing',
  'The index field is missing; PUT needs all of them.',
);
export const valueNotUniqueInRequest = coded(
  'records.valueNotUniqueInRequest',
  'The value occurs more than once in the request; it must be unique.',
);
export const valueTaken = coded(
  'records.valueTaken',
  ({ record }: { record: number }) =>
    `The value is already in record ${record}; it must be unique.`,
);
export const noFormField = coded(
  'records.noFormField',
  ({ name }: { name: string }) => `There is no form field ${name}.`,
);
export const formFieldTwice = coded(
  'records.formFieldTwice',
  ({ name }: { name: string }) => `The form field ${name} is sent more than once.`,
);
export const fileFieldName = coded(
  'records.fileFieldName',
  'The form field of a file must be named files or files[N].',
);
export const indexFieldIncomplete = coded(
  'records.indexFieldIncomplete',
  ({ at }: { at: number }) => `indexFields[${at}] needs a name and a value.`,
);
export const keywordFieldIncomplete = coded(
  'records.keywordFieldIncomplete',
  ({ at }: { at: number }) => `keywordFields[${at}] needs a name and either a value or keywords.`,
);
export const tooManyRevisions = coded(
  'records.tooManyRevisions',
  ({ max }: { max: number }) => `At most ${max} revisions can be changed at once.`,
);
export const noIndexField = coded(
  'records.noIndexField',
  ({ name }: { name: string }) => `There is no index field ${name}.`,
);
export const nothingNamed = coded(
  'records.nothingNamed',
  'At least one index field or keyword field must be named.',
);
export const noRevision = coded(
  'records.noRevision',
  ({ revisionId }: { revisionId: number }) => `There is no revision ${revisionId} in this archive.`,
);
export const noFile = coded('records.noFile', 'The revision has no such file.');
export const noColumn = coded(
  'records.noColumn',
  ({ name }: { name: string }) => `There is no column ${name}.`,
);
export const columnNamedTwice = coded(
  'records.columnNamedTwice',
  ({ name }: { name: string }) => `${name} is named more than once.`,
);
export const tooManyRecords = coded(
  'records.tooManyRecords',
  ({ max }: { max: number }) => `At most ${max} records can be written at once.`,
);
export const jridDiffers = coded(
  'records.jridDiffers',
  'The jrid must be the same as in the address.',
);
export const jridMissing = coded(
  'records.jridMissing',
  'The jrid of the dataset is needed, a whole number.',
);
export const ifMatchInvalid = coded(
  'records.ifMatchInvalid',
  'ifMatch must be an entity tag, as text.',
);
export const noRecord = coded(
  'records.noRecord',
  ({ jrid }: { jrid: number }) => `There is no record ${jrid} in this table.`,
);
export const noColumnNamed = coded(
  'records.noColumnNamed',
  'At least one column to change must be named.',
);
export const groupColumnMissing = coded(
  'records.groupColumnMissing',
  'A column to group by is needed.',
);
export const tooManyGroupColumns = coded(
  'records.tooManyGroupColumns',
  'At most two columns can be grouped by.',
);
export const noSum = coded(
  'records.noSum',
  ({ name, type }: { name: string; type: string }) => `${name} is of type ${type} and has no sum.`,
);
export const forTextOnly = coded(
  'records.forTextOnly',
  ({ name, type }: { name: string; type: string }) =>
    `This is for text; ${name} is of type ${type}.`,
);
export const noHistoryEntry = coded(
  'records.noHistoryEntry',
  ({ id }: { id: string }) => `There is no history entry ${id} in this table.`,
);
export const notOwnChange = coded('records.notOwnChange', 'Only your own changes can be undone.');
export const undoOfUnchangeable = coded(
  'records.undoOfUnchangeable',
  'The change was made in a field that you can no longer change.',
);
export const undoNeedsManage = coded(
  'records.undoNeedsManage',
  'Undoing a deletion needs the right to manage the table.',
);
export const undoOfException = coded(
  'records.undoOfException',
  'That the record is right as it is cannot be undone here: end the exception at the record.',
);
export const undoInArchive = coded(
  'records.undoInArchive',
  'Of an archive only changes of index fields can be undone here.',
);
export const undoOfConverted = coded(
  'records.undoOfConverted',
  ({ name }: { name: string }) =>
    `The type of ${name} was changed since, and it cannot hold its former value.`,
);
export const changedAfterwards = coded(
  'records.changedAfterwards',
  ({ id, by, at }: { id: number; by: string; at: string }) =>
    `The record ${id} was changed afterwards by ${by} at ${at}.`,
);
export const noField = coded(
  'records.noField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const noArchive = coded('records.noArchive', 'There is no archive with this name or GUID.');
export const noSuchRevision = coded(
  'records.noSuchRevision',
  'There is no revision with this id in this archive.',
);
export const noSuchRecord = coded(
  'records.noSuchRecord',
  'There is no record with this jrid in this table.',
);
export const notTrue = coded('records.notTrue', 'This must be true.');
export const bulkEditIdInvalid = coded(
  'records.bulkEditIdInvalid',
  'This is not the id of a batch.',
);
export const windowTooLong = coded(
  'records.windowTooLong',
  ({ max }: { max: number }) => `This must be at most ${max} characters long.`,
);
export const jridInvalid = coded('records.jridInvalid', 'A jrid is a whole number.');
export const valuesTakenTogether = coded(
  'records.valuesTakenTogether',
  ({ columns, record }: { columns: string; record: number }) =>
    `Record ${record} has the same values in ${columns}; together they must be unique.`,
);
export const valuesTwiceTogether = coded(
  'records.valuesTwiceTogether',
  ({ columns }: { columns: string }) =>
    `The values of ${columns} occur more than once in the request; together they must be unique.`,
);
