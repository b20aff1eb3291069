import { coded } from '#shared/messages/message.ts';
export const noRows = coded('file-analysis.noRows', 'The file has no rows below its headers.');
export const severalMeanings = coded(
  'file-analysis.severalMeanings',
  'The value can be read in several ways.',
);
export const fileNeeded = coded('file-analysis.fileNeeded', 'A file is needed.');
export const oneFile = coded('file-analysis.oneFile', 'Only one file can be analysed at once.');
export const noFormField = coded(
  'file-analysis.noFormField',
  ({ name }: { name: string }) => `There is no form field ${name}.`,
);
export const columnsNotJson = coded(
  'file-analysis.columnsNotJson',
  'The form field columns is not JSON.',
);
export const wholeNumberNeeded = coded(
  'file-analysis.wholeNumberNeeded',
  ({ min, max }: { min: number; max: number }) =>
    `It must be a whole number from ${min} to ${max}.`,
);
export const definitionTooLarge = coded(
  'file-analysis.definitionTooLarge',
  ({ megabytes }: { megabytes: number }) =>
    `The definition file is larger than ${megabytes} MB. Load it with the command load.`,
);
export const notJson = coded(
  'file-analysis.notJson',
  ({ reason }: { reason: string }) => `The file is not JSON: ${reason}`,
);
export const notUtf8 = coded(
  'file-analysis.notUtf8',
  'The definition file is not encoded in UTF-8.',
);
export const unnamedColumn = (number: number) => `Column ${number}`;
/** `problem` is a text of the subject `loading` or `definitions`. */
export const definitionProblem = coded(
  'file-analysis.definitionProblem',
  ({ problem }: { problem: string }) => problem,
);
