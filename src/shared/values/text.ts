import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { JsonNumber } from './json.ts';
import { parsedAs, refused, type RawScalar, type ValueTypeDefinition } from './value-type.ts';

/** Any text, exactly as it is. */
export const TEXT: ValueTypeDefinition = {
  words: typeTexts.text,
  family: 'text',
  parse(raw: RawScalar) {
    const text =
      typeof raw === 'string' ? raw : raw instanceof JsonNumber ? raw.source : String(raw);
    if (text.includes('\u0000')) return refused(texts.hasNul);
    return text.isWellFormed() ? parsedAs(text) : refused(texts.hasHalfCharacter);
  },
  isStored: (value) => typeof value === 'string' && !value.includes('\u0000'),
  comparison: { by: 'foldedText' },
  column: 'text',
  rules: ['maxLength', 'pattern'],
  notationPart: null,
  read: (raw, notation) => [{ raw, notation }],
  write: (value) => String(value),
  operators: ['like', 'eq', 'ne', 'in', 'null'],
  columnWidth: 220,
  // The text format, so that typed values keep leading zeros.
  sheet: { format: () => '@', width: 24 },
};
