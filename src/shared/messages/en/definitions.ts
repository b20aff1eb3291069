export const mustBeNumber = 'Must be a number.';
export const patternInvalid = 'The pattern is no regular expression that RE2 knows.';
export const jridReserved = 'The column name jrid is reserved.';
export const keyOfOtherType = ({ key, value }: { key: string; value: string }) =>
  `${key} is for fields of type ${value} alone.`;
export const patternDescriptionAlone = 'patternDescription is for fields with a pattern.';
export const neverOnPage =
  'onPage is for fields whose values are written on pages, not true or false.';
export const maxBelowMin = 'max is less than min.';
export const optionIsNull = 'An option is a value, not null.';
export const notAnInstant = 'It must be null, or a time such as 2026-01-31T12:00:00Z.';
export const nameTwice = (name: string) => `The name ${name} is given twice.`;
export const notOneCharacter = 'It must be one character, such as ; or \\t.';
export const notAnEncoding = 'It must be the name of an encoding, such as utf-8 or windows-1252.';
export const notALanguageTag = 'It must be a language tag, such as de-DE or en-GB.';
export const nameInvalid =
  'A name starts with a letter and has at most 63 letters, digits and underscores.';
export const guidInvalid = 'A GUID has the form 00000000-0000-0000-0000-000000000000.';
export const checkWithoutRule = 'A check needs a rule, or fields in duplicates.';
export const checkWithBoth = 'A check has either a rule or duplicates.';
export const duplicatesNeverBlock = 'A check on duplicates cannot block a save.';
export const ignoreAlone = 'ignore is for checks on duplicates alone.';
