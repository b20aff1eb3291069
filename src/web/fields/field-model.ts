import type { IndexField } from '#shared/rules/definitions.ts';
import type { Message } from '#shared/messages/message.ts';
import { parseKeyword } from '#shared/values/keywords.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import { isBoolean, isInstant, isLocalized, isText, valueType } from '#shared/values/registry.ts';
import { parseType, parseValue, type ValueRules } from '#shared/values/value-rules.ts';
import type { ValueTypeDefinition, Parsed } from '#shared/values/value-type.ts';
import { type FieldRules, isList, type StoredContent } from './value-checks.ts';
import { matchingChoice, choicesOf } from './field-choices.ts';
import type { EditorRules } from './editor.ts';
import { hasLineBreak, MAX_LINE_LENGTH } from './line-breaks.ts';
import { readTyped, toParsed } from './typed-text.ts';
import { groupedText, localText, momentInWords, shownValue, valueText } from './value-text.ts';

// The model of a record's field in the web admin: its editor, the editor's content, and how that is formatted, parsed
// and compared. Forms, cells, bulk edits, rules, filters and pastes use these functions, and those of
// `value-checks.ts`.

/**
 * The content of a field's editor: a text in the form of the interface, or as typed (null: no value), or the keywords
 * of a keyword field.
 */
export type FieldValue = string | null | readonly string[];

/** `line` and `lines` are text editors; the others are for options, datasets of a table, and the other value types. */
type EditorKind =
  | 'options'
  | 'lookUp'
  | 'line'
  | 'lines'
  | Exclude<ValueTypeDefinition['family'], 'text'>;

interface EditedRules extends Pick<ValueRules, 'type' | 'maxLength' | 'options'> {
  readonly optionsFrom?: IndexField['optionsFrom'];
}

/**
 * The kind of editor of an index field or a column.
 * @param text the editor's content: a text with line breaks needs several lines, whatever its field allows
 */
export function editorKindOf(rules: EditedRules, text: string | null): EditorKind {
  if (rules.optionsFrom) return 'lookUp';
  if (rules.options && !isBoolean(rules)) return 'options';
  const { family } = valueType(rules.type);
  if (family !== 'text') return family;
  const isShort = (rules.maxLength ?? Number.POSITIVE_INFINITY) <= MAX_LINE_LENGTH;
  return isShort && !hasLineBreak(text) ? 'line' : 'lines';
}

/** Converts a stored value to the content of its editor. */
export function toFieldValue(rules: FieldRules, stored: StoredContent): FieldValue {
  return isList(stored) ? stored : valueText(stored, rules ?? undefined);
}

/**
 * Formats an editor's content in the user's format; text that is not a value of the type is unchanged; null: nothing.
 * @param grouped with thousands separators, for display only
 */
export function formatFieldValue(
  rules: EditorRules | null,
  value: FieldValue,
  { grouped = false } = {},
): string | null {
  if (isList(value)) return value.length === 0 ? null : fieldValueText(value);
  if (value === null || !rules) return value;
  if (isBoolean(rules)) return shownValue({ type: rules.type, scale: null }, value === 'true');
  if (!isLocalized(rules)) return value;
  const { type, scale = MAX_SCALE } = rules;
  const parsed = parseType({ type, scale }, value);
  if (!parsed.ok) return value;
  return (grouped ? groupedText : localText)({ type, scale }, parsed.value);
}

/** The content of an editor in one line, unformatted; '' for nothing. */
export function fieldValueText(value: FieldValue): string {
  return isList(value) ? value.join(', ') : (value ?? '');
}

/** The moment in a field of date and time, by the user's own clock; null: none, or another type. */
export function momentOf(rules: ValueRules, text: string | null): string | null {
  if (!isInstant(rules) || text === null) return null;
  return parseType(rules, text).ok ? momentInWords(text) : null;
}

/** The value of an editor's content to store, or why it is invalid. */
export type ParsedField =
  | { readonly ok: true; readonly value: StoredContent }
  | ({ readonly ok: false } & Message);

/**
 * Parses the content of an editor: a text in the form of the interface, or as typed. Requests send the resulting value.
 */
export function parseField(rules: ValueRules, value: string | null): Parsed;
export function parseField(rules: FieldRules, value: FieldValue): ParsedField;
export function parseField(rules: FieldRules, value: FieldValue): ParsedField {
  if (isList(value)) return parseKeywords(value);
  if (!rules) return parseKeywords(value === null ? [] : [value]);
  if (value === null || isText(rules) || parseType(rules, value).ok) {
    const choices = rules.options ? choicesOf(rules.options) : [];
    return parseValue(rules, value === null ? null : (matchingChoice(choices, value) ?? value));
  }
  return toParsed(rules, value, readTyped(rules, value));
}

function parseKeywords(raw: readonly string[]): ParsedField {
  const keywords: string[] = [];
  for (const text of raw) {
    const parsed = parseKeyword(text);
    if (!parsed.ok) return parsed;
    keywords.push(...parsed.keywords);
  }
  return { ok: true, value: keywords };
}

/** The error in an editor's content; null: none. */
export function fieldProblem(rules: FieldRules, value: FieldValue): string | null {
  const parsed = parseField(rules, value);
  return parsed.ok ? null : parsed.message;
}

/** Whether an editor's value differs from the stored one; `1.50` equals 1.5. */
export function isEdited(rules: FieldRules, stored: StoredContent, value: FieldValue): boolean {
  if (isSameValue(value, toFieldValue(rules, stored))) return false;
  if (!rules || isList(value)) return true;
  const parsed = parseValue(rules, value);
  return !parsed.ok || parsed.value !== stored;
}

/** Whether two editors have the same content, or two fields store the same value. */
export function isSameValue<T extends StoredContent>(a: T | undefined, b: T | undefined): boolean {
  if (!isList(a) || !isList(b)) return a === b;
  return a.length === b.length && a.every((keyword, at) => keyword === b[at]);
}

/** Whether an editor is empty. */
export function isBlank(value: FieldValue | undefined): boolean {
  return value === undefined || value === null || value.length === 0;
}
