import { formatCount } from '../format.ts';
export const atCharacter = ({ what, value }: { what: string; value: number }) =>
  `${what} at character ${value}.`;
export const stringNotClosed = 'A string is not closed';
export const controlCharacter = 'A control character is in a string';
export const unknownEscape = 'A string contains an unknown escape sequence';
export const commaOrBracketMissing = 'A comma or ] is missing';
export const keyMissing = 'A key in double quotes is missing';
export const tooManyKeys = (keys: number) => `An object has more than ${formatCount(keys)} keys.`;
export const keyGivenTwice = (key: string) => `The key “${key}” occurs twice`;
export const colonMissing = 'A colon is missing';
export const commaOrBraceMissing = 'A comma or } is missing';
export const tooDeep = (max: number) => `The text is nested deeper than ${max} levels`;
export const tooManyValues = (values: number) =>
  `There are more than ${formatCount(values)} values.`;
export const endsTooEarly = 'The text ends too early';
export const valueMissing = 'A value is missing';
export const trailingText = 'Something follows the end of the JSON text';
