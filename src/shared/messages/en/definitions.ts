export const mustBeNumber = 'Must be a number.';
export const patternInvalid = 'The pattern is not a valid regular expression (RE2).';
export const jridReserved = 'The column name jrid is reserved.';
export const keyOfOtherType = ({ key, value }: { key: string; value: string }) =>
  `${key} is only for fields of type ${value}.`;
export const patternDescriptionAlone = 'patternDescription is only for fields with a pattern.';
export const neverOnPage =
  'onPage is not for fields of type boolean, whose values are not written on pages.';
export const maxBelowMin = 'max is less than min.';
export const optionIsNull = 'An option must not be null.';
export const notAnInstant = 'It must be null, or a time such as 2026-01-31T12:00:00Z.';
export const recordsNotStored =
  'Documents and datasets are not stored with a definition. Create them afterwards, or load the definition file.';
export const nameTwice = (name: string) => `The name ${name} occurs more than once.`;
export const notOneCharacter = 'It must be one character, such as ; or \\t.';
export const notAnEncoding = 'It must be the name of an encoding, such as utf-8 or windows-1252.';
export const notALanguageTag = 'It must be a language tag, such as de-DE or en-GB.';
export const nameInvalid =
  'A name starts with a letter and has at most 63 letters, digits and underscores.';
export const guidInvalid = 'A GUID has the form 00000000-0000-0000-0000-000000000000.';
export const checkWithoutRule = 'A check needs a rule, or fields in duplicates.';
export const checkWithBoth = 'A check has either a rule or duplicates, not both.';
export const duplicatesNeverBlock = 'A check on duplicates cannot block a save.';
export const ignoreAlone = 'ignore is only for checks on duplicates.';
