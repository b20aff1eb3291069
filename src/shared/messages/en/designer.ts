import { formatCount } from '../format.ts';
import { jobErrorText } from './job-errors.ts';
import { plural } from './language.ts';

/** The pages on which administrators define archives and tables. */
export const title = 'Archives and tables';
export const notRead = 'The definitions could not be read';
export const archive = 'Archive';
export const table = 'Table';
export const newArchive = 'New archive';
export const newTable = 'New table';
export const nameColumn = 'Name';
export const kindColumn = 'Kind';
export const recordsColumn = 'Records';
export const filesColumn = 'Files';
export const changedColumn = 'Last change';
export const fieldsColumn = 'Fields';
export const versionColumn = 'Version';
export const stateColumn = 'State';
export const inUse = 'In use';
export const retired = 'Retired';
export const hasUnapplied = 'Changes not applied';
export const backToDesign = 'Back to the changes of the archive';
export const retiredFields = 'Retired fields';
export const retiredKeywordFields = 'Retired keyword fields';
export const tableName = 'Table name';
export const tableNameHint =
  'Programs and addresses use it. Letters, digits and _, beginning with a letter, such as CONTRACTS.';
export const label = 'Label';
export const description = 'Description';
export const fields = 'Fields';
export const columns = 'Columns';
export const addField = 'Add field';
export const addColumn = 'Add column';
export const addKeywordField = 'Add keyword field';
export const moveUp = (label: string) => `Move ${label} up`;
export const moveDown = (label: string) => `Move ${label} down`;
export const newField = (number: number) => `FIELD_${number}`;
export const newFieldLabel = (number: number) => `Field ${number}`;
export const keywordField = 'Keywords';
export const fieldName = 'Name';
export const fieldNameHint = 'Programs use it. Letters, digits and _, beginning with a letter.';
export const fieldDescription = 'Help text';
export const fieldDescriptionHint = 'Clerks read it below the field. Give an example.';
export const type = 'Type';
export const types = {
  text: 'Text',
  integer: 'Whole number',
  decimal: 'Decimal number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
  time: 'Time',
};
export const readAs = 'Notation of the texts';
export const readAsHint =
  'A language tag, such as de-DE. Without it, only plain numbers and ISO dates are read.';
export const required = 'A value is required';
export const unique = 'Each value only once';
export const uniqueTogether = 'Unique together';
export const uniqueTogetherHint =
  'Columns whose values no two records may share, one combination in each line, such as SNO, INVOICENO.';
export const maxLength = 'Maximum length';
export const scale = 'Decimal places';
export const min = 'Smallest value';
export const max = 'Greatest value';
export const pattern = 'Pattern';
export const patternHint = 'A regular expression (RE2) that the whole value has to match.';
export const patternDescription = 'Description of the pattern';
export const patternDescriptionHint = 'Clerks read it when a value does not match.';
export const options = 'Options';
export const optionsHint = 'One in each line. Without options, any value is allowed.';
export const optionsTable = 'Options from the table';
export const optionsColumn = 'Column';
export const noTable = 'None';
export const fills = 'A choice also fills';
export const fillsHint = 'One in each line: FIELD = COLUMN of the table.';
export const defaultValue = 'Default value';
export const group = 'Group on the form';
export const groupHint = 'Neighbouring fields of one group are shown under its name.';
export const halfWidth = 'Half of the width on wide forms';
export const hiddenInLists = 'Hidden in lists until it is chosen';
export const onPage = 'The value is on the page of the document';
export const listSort = 'Initial order of lists';
export const notSorted = 'No';
export const ascending = 'Ascending';
export const descending = 'Descending';
export const retire = 'Retire';
export const restore = 'Restore';
export const remove = 'Remove';
export const retireHint =
  'The field is hidden everywhere. Its values stay stored and are visible again when the field is restored.';
export const notUsed = 'No view, queue, check, look-up or right names it.';
export const usedIn = 'It is used in:';
export const uses = {
  view: (name: string) => `View “${name}”`,
  queue: (name: string) => `Queue “${name}”`,
  check: (name: string) => `Check “${name}”`,
  'look-up': (name: string) => `Look-up of ${name}`,
  user: (name: string) => `Rights of the user ${name}`,
  group: (name: string) => `Rights of the group ${name}`,
};
export const useOf = ({ use, of }: { use: string; of: string }) => `${use} (${of})`;
export const preview = 'Preview of the form';
export const previewHint = 'Type a value to see how the form checks it.';
export const listPreview = 'Preview of the list';
export const noColumns = 'All fields are hidden in lists.';
export const exampleText = 'Example';
export const chooseField = 'Choose a field to change it.';
export const create = 'Create';
export const notCreated = 'It was not created';
export const created = (name: string) => `${name} is created.`;
export const previewChanges = 'Preview changes';
export const notPlanned = 'The changes could not be planned';
export const planTitle = 'Changes';
export const noChanges = 'Nothing changes.';
export const apply = 'Apply';
export const changedMeanwhile = (label: string) =>
  `${label} was changed meanwhile. Your changes are kept: preview them again.`;
export const notApplied = 'The changes were not applied';
export const applied = (name: string) => `${name} is changed.`;
export const jobStarted = (name: string) => `The change of ${name} is running.`;
/** `error`: the code of the job; null: it was cancelled. */
export const changeFailed = ({ name, error }: { name: string; error: string | null }) =>
  `${name} was not changed: ${error === null ? 'the change was cancelled' : jobErrorText(error)}.`;
export const changeKinds = {
  add: 'added',
  change: 'changed',
  rename: 'renamed',
  retire: 'retired',
  restore: 'restored',
  reorder: 'order changed',
  describe: 'texts changed',
};
export const renamedFrom = (name: string) => `renamed from ${name}`;
export const affected = (count: number) =>
  plural(count, { one: '1 value affected', other: `${formatCount(count)} values affected` });
export const misfits = (count: number) =>
  plural(count, { one: '1 value does not fit', other: `${formatCount(count)} values do not fit` });
/** `first`: the number of those that are shown; null: all */
export const openMisfits = (first: number | null) =>
  first === null ? 'Show them in the list' : `Show the first ${formatCount(first)} in the list`;
export const correctMisfits = {
  archive: 'Correct them in a queue',
  table: 'Correct them in the table',
};
export const correctMisfitsHint = {
  archive:
    'The queue has all revisions whose values do not fit. Your changes are kept: come back and preview them again.',
  table:
    'The table shows all records whose values do not fit. Your changes are kept: come back and preview them again.',
};
export const misfitsQueue = (fields: readonly string[]) =>
  fields.length === 0
    ? 'Values that do not fit'
    : `Values that do not fit: ${fields.join(', ')}`.slice(0, 200);
export const firstMisfits = ({ shown, total }: { shown: number; total: number }) =>
  `The first ${formatCount(shown)} of ${formatCount(total)} records are shown.`;
export const changesKept = 'Your changes that were not applied are restored.';
/** @param dropped names of fields and checks */
export const outdatedChangesKept = (dropped: readonly string[]) =>
  [
    'The definition was changed since you typed your changes. They are restored on top of it: the preview shows what they would change now.',
    ...(dropped.length > 0
      ? [`What you have changed in ${dropped.join(', ')} is left out: it was removed or renamed.`]
      : []),
  ].join(' ');
export const discardChanges = 'Discard them';
export const misfitsFound = (name: string) => `The values of ${name} that do not fit were found.`;
export const misfitsNotFound = (failure: string) => `The values were not found. ${failure}`;
export const keepMisfits = 'Apply anyway';
export const keptAsTheyAre = 'Values that do not fit stay as they are and are marked in forms.';
export const keptInRetiredField =
  'Values that cannot be converted become empty. All old values stay in a retired field, which can be restored.';
export const mustBeUnique =
  'What must be unique cannot keep values that do not fit: correct them, or allow equal values.';
export const safe = 'All stored values fit.';
export const properties = (names: string) => `Properties: ${names}`;
export const retireWhole = 'Retire';
export const retireArchiveTitle = (name: string) => `Retire ${name}?`;
export const retireArchiveText =
  'It is hidden from everyone. Nothing is deleted: administrators can restore it at any time.';
export const notRetired = 'It was not retired';
export const isRetired = (name: string) => `${name} is retired.`;
export const isRestored = (name: string) => `${name} is restored.`;
export const notRestored = (failure: string) => `It was not restored. ${failure}`;
export const purgeAction = 'Delete permanently…';
export const purge = 'Delete permanently';
export const purgeTitle = (name: string) => `Delete ${name} permanently?`;
export const purgeWholeText =
  'All records, files and values are deleted, also from the history. Nobody can restore them. The name can be used again.';
export const purgeFieldText =
  'All values of the field are deleted, also from the history. Nobody can restore them.';
export const typeToConfirm = (name: string) => `Type ${name} to confirm`;
export const notPurged = 'It was not deleted';
export const isPurged = (name: string) => `${name} is permanently deleted.`;
export const purgeStarted = (name: string) =>
  `${name} is being permanently deleted. This takes some time; you can continue to work.`;
export const purgeFailed = (name: string) =>
  `${name} was not permanently deleted: the deletion failed or was cancelled.`;
export const exportFile = 'Export definition file';
export const order = 'Order';
export const propertyWithValue = ({ property, value }: { property: string; value: string }) =>
  `${property}: ${value}`;
export const history = 'History';
export const tablesNotRead = 'The tables could not be read';
export const columnsNotRead = 'The columns could not be read';
export const historyNotRead = 'The history could not be read';
export const historyEmpty = 'There is no entry yet.';
export const revert = 'Revert';
export const revertOf = (when: string) => `Revert the change of ${when}`;
export const reverted = 'The change is reverted.';
export const notReverted = (failure: string) => `The change was not reverted. ${failure}`;
export const byUser = ({ user, when }: { user: string; when: string }) => `${when}, ${user}`;
export const back = 'Back to the list';
