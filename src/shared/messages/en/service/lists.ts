import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
export const tooManyConditions = coded(
  'lists.tooManyConditions',
  ({ max }: { max: number }) => `A filter may have at most ${max} conditions.`,
);
export const tooManyWords = coded(
  'lists.tooManyWords',
  ({ max }: { max: number }) => `A search may have at most ${max} words.`,
);
export const afterAndOffset = coded(
  'lists.afterAndOffset',
  'Use either after or offset, not both.',
);
export const noField = coded(
  'lists.noField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const noOperator = coded(
  'lists.noOperator',
  ({ op, operators }: { op: string; operators: string }) =>
    `There is no operator ${op}; the operators are ${operators}.`,
);
export const nullTakesBoolean = coded(
  'lists.nullTakesBoolean',
  'The operator null needs true or false.',
);
export const likeIsForText = coded(
  'lists.likeIsForText',
  ({ name, type }: { name: string; type: string }) =>
    `The operator like is for text; ${name} is of type ${type}.`,
);
export const tooManyInValues = coded(
  'lists.tooManyInValues',
  ({ max }: { max: number }) => `The operator in may have at most ${formatCount(max)} values.`,
);
export const valueMissing = coded(
  'lists.valueMissing',
  'A value is missing. Use the operator null to find empty values.',
);
export const tooManySortFields = coded(
  'lists.tooManySortFields',
  ({ max }: { max: number }) => `A list may be sorted by at most ${max} fields.`,
);
export const noCheck = coded(
  'lists.noCheck',
  ({ name }: { name: string }) => `There is no check ${name}.`,
);
export const checkOperator = coded(
  'lists.checkOperator',
  'Findings of checks are filtered by eq, in or null.',
);
export const noSortField = coded(
  'lists.noSortField',
  ({ name }: { name: string }) => `There is no field ${name} to sort by.`,
);
export const namedTwice = coded(
  'lists.namedTwice',
  ({ name }: { name: string }) => `${name} is named more than once.`,
);
export const hasNul = coded('lists.hasNul', 'The NUL character cannot be searched for.');
export const unknownParameter = coded(
  'lists.unknownParameter',
  'This parameter is not known here.',
);
export const parameterRepeated = coded(
  'lists.parameterRepeated',
  'This parameter may be given only once.',
);
export const notInRange = coded(
  'lists.notInRange',
  ({ min, max }: { min: number; max: number }) =>
    `This must be a whole number from ${min} to ${max}.`,
);
export const notAnOption = coded(
  'lists.notAnOption',
  ({ options }: { options: string }) => `This must be one of: ${options}.`,
);
export const notABoolean = coded('lists.notABoolean', 'This must be true or false.');
export const positionOfOtherList = coded(
  'lists.positionOfOtherList',
  'This position belongs to another sort or filter; use the next of a page with the same sort and filter.',
);
export const tooManyMatches = coded(
  'lists.tooManyMatches',
  ({ count, max }: { count: number; max: number }) =>
    `${count} match; at most ${max} can be taken at once. Narrow the filter.`,
);
