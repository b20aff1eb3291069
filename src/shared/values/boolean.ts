import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { fold } from './fold.ts';
import { JsonNumber } from './json.ts';
import { parsedAs, refused, type ValueTypeDefinition } from './value-type.ts';

/** True or false. */
export const BOOLEAN: ValueTypeDefinition = {
  words: typeTexts.boolean,
  family: 'boolean',
  parse(raw) {
    if (typeof raw === 'boolean') return parsedAs(raw);
    const text = raw instanceof JsonNumber ? raw.source : raw;
    if (text === 'true' || text === '1') return parsedAs(true);
    if (text === 'false' || text === '0') return parsedAs(false);
    return refused(texts.notABoolean);
  },
  isStored: (value) => typeof value === 'boolean',
  comparison: { by: 'value' },
  column: 'boolean',
  rules: [],
  notationPart: null,
  read(text, notation) {
    const meant = WORDS.get(fold(text));
    return meant === undefined ? [] : [{ raw: String(meant), notation }];
  },
  write(value, _scale, locale) {
    const [yes, no] = YES_AND_NO.get(locale.slice(0, 2)) ?? ['yes', 'no'];
    return value === true ? yes : no;
  },
  operators: ['eq', 'null'],
  columnWidth: 64,
  sheet: {},
};

/** Words for yes and no, folded; `X` marks a box. `O` is not included: some people mean no by it. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'ja', 'j', 'oui', 'wahr', 'vrai', 'si', '1', 'x'].map(
    (word) => [word, true] as const,
  ),
  ...['false', 'no', 'n', 'nein', 'non', 'falsch', 'faux', 'nee', '0'].map(
    (word) => [word, false] as const,
  ),
]);

const YES_AND_NO: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['en', ['yes', 'no']],
  ['de', ['ja', 'nein']],
  ['fr', ['oui', 'non']],
]);
