import * as texts from '#messages/edits.ts';
import type { Message, MessagesByPath } from '../messages/message.ts';
import { plainDecimal } from '../values/plain-numbers.ts';
import { JsonNumber, type JsonValue } from '../values/json.ts';
import { indexOfName } from './names.ts';
import { readText, type Notation } from '../values/readings.ts';
import {
  changeCase,
  patternReplacer,
  replacer,
  trimBlanks,
  type EditedText,
  type TextCase,
} from '../values/text-edits.ts';
import { isText, valueType } from '../values/registry.ts';
import { checkRules, MAX_TEXT_LENGTH, parseType, type ValueRules } from '../values/value-rules.ts';
import type { Scalar } from '../values/value-type.ts';
import { truncate } from '#shared/values/truncate.ts';

/** The properties of an index field that edits need. */
export interface EditableField extends ValueRules {
  readonly name: string;
  readonly label: string;
}

/**
 * One step of a bulk edit. Steps are applied in their order, each to what the ones before it left. Those that
 * change a text also take numbers, dates and date-times, in the form of the interface. A field without a value
 * stays without one, except for `set`, `copy` and `parse` from another field.
 */
export type BulkEdit<Value = Scalar> = { readonly field: string } & (
  | { readonly do: 'set'; readonly value: Value }
  | { readonly do: 'clear' }
  | { readonly do: 'prepend' | 'append'; readonly text: string }
  | {
      readonly do: 'replace';
      readonly find: string;
      readonly with: string;
      readonly matchCase: boolean;
    }
  | {
      readonly do: 'replacePattern';
      readonly pattern: string;
      readonly with: string;
      readonly matchCase: boolean;
    }
  | { readonly do: 'trim' }
  | { readonly do: 'case'; readonly to: TextCase }
  | { readonly do: 'copy'; readonly from: string }
  /** replaces values that are exactly equal to one of `from`, all at the same time */
  | {
      readonly do: 'replaceValues';
      readonly replacements: readonly Replacement[];
      readonly remember?: boolean;
    }
  /** parses a number, date or truth value from a text, of this field or another */
  | ({ readonly do: 'parse'; readonly from: string | null } & Notation)
);

/** A value, and its replacement. */
interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** The result of edits for one revision. */
export interface EditOutcome {
  /** the fields whose value changes, in the definition's order; also if the new value is not allowed */
  readonly changes: readonly FieldChange[];
  /** why the result is not allowed; null: it is */
  readonly message: string | null;
}

export interface FieldChange {
  readonly name: string;
  readonly before: Scalar;
  readonly after: Scalar;
}

/** Applies edits to the values of a revision, given in the definition's order. */
type Editor = (values: readonly Scalar[]) => EditOutcome;

type ReadEdits =
  | { readonly ok: true; readonly edits: readonly BulkEdit[]; readonly edit: Editor }
  | { readonly ok: false; readonly errors: MessagesByPath };

type Step = (values: Scalar[]) => string | null;

/**
 * After this time, in milliseconds, no further steps are started for one revision: the process answers no other request
 * meanwhile.
 */
const MAX_EDITING_TIME = 300;
/** A step that cannot be applied. @property key the property of the step with the error */
type Refused = { readonly key: string; readonly message: Message };
type Prepared = { readonly edit: BulkEdit; readonly step: Step } | Refused;

/**
 * Checks edits against the fields of an archive and makes the function that applies them: the server uses it to plan
 * and the page to preview. The results must meet the same rules as a form's values (`values.ts`).
 * @param edits with the values of `set` as they were sent
 * @returns the edits with their fields in the definition's spelling; or every error under `edits.N.KEY`
 */
export function readEdits(
  fields: readonly EditableField[],
  edits: readonly BulkEdit<JsonValue | number>[],
): ReadEdits {
  const errors: MessagesByPath = {};
  const read: BulkEdit[] = [];
  const steps: { fieldIndex: number; step: Step }[] = [];
  for (const [i, sent] of edits.entries()) {
    const fieldIndex = indexOfName(fields, sent.field);
    const field = fields[fieldIndex];
    const prepared = field
      ? prepare(fields, field, fieldIndex, sent)
      : { key: 'field', message: noField(sent.field) };
    if ('key' in prepared) errors[`edits.${i}.${prepared.key}`] = [prepared.message];
    else {
      read.push(prepared.edit);
      steps.push({ fieldIndex, step: prepared.step });
    }
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, edits: read, edit: (values) => apply(fields, steps, values) };
}

function apply(
  fields: readonly EditableField[],
  steps: readonly { readonly fieldIndex: number; readonly step: Step }[],
  before: readonly Scalar[],
): EditOutcome {
  const values = [...before];
  const problems = new Map<number, string>();
  const until = performance.now() + MAX_EDITING_TIME;
  for (const { fieldIndex, step } of steps) {
    // A value that failed stays visible; no further steps are applied to it.
    if (problems.has(fieldIndex)) continue;
    const problem = performance.now() > until ? texts.editingTooSlow : step(values);
    if (problem !== null) problems.set(fieldIndex, problem);
  }
  const checked = checkChanges(fields, before, values, problems);
  const messages = checked.problems.map(({ inWords }) => inWords);
  return { changes: checked.changes, message: messages.length > 0 ? messages.join(' ') : null };
}

/**
 * Compares two states of a revision, and checks the changed values against the fields' rules.
 * @param problems the problems that are already known, by the index of the field
 */
export function checkChanges(
  fields: readonly EditableField[],
  before: readonly Scalar[],
  after: readonly Scalar[],
  problems: ReadonlyMap<number, string> = new Map(),
): Pick<EditOutcome, 'changes'> & { readonly problems: readonly FieldProblem[] } {
  const changes: FieldChange[] = [];
  const found: FieldProblem[] = [];
  for (const [fieldIndex, field] of fields.entries()) {
    const old = before[fieldIndex] ?? null;
    let now = after[fieldIndex] ?? null;
    let message = problems.get(fieldIndex);
    if (message === undefined) {
      if (now === old) continue;
      const checked = checkRules(field, now);
      if (checked.ok) now = checked.value;
      else message = checked.message;
    }
    if (message !== undefined) found.push(fieldProblem(field, now, message));
    if (now !== old) changes.push({ name: field.name, before: old, after: now });
  }
  return { changes, problems: found };
}

/** What is wrong with the value of a field. */
export interface FieldProblem {
  /** the name, of a keyword field `keyword.NAME` */
  readonly field: string;
  /** one or more sentences, as at the value */
  readonly message: string;
  /** the same as `problemInWords` */
  readonly inWords: string;
}

export function fieldProblem(
  field: Pick<EditableField, 'label' | 'name'>,
  value: Scalar,
  message: string,
): FieldProblem {
  return { field: field.name, message, inWords: problemInWords(field, value, message) };
}

/** What is wrong with one value: `Amount “abc”: The value must be a number.` */
export function problemInWords(
  { label, name }: Pick<EditableField, 'label' | 'name'>,
  value: Scalar,
  message: string,
): string {
  const field = label.trim() === '' ? name : label;
  if (value === null || value === '') return `${field}: ${message}`;
  // A refused text may contain what no database accepts: control characters, halves of characters.
  const shown = truncate(String(value), MAX_QUOTED).replaceAll(/\p{Cc}/gu, ' ');
  return `${field} “${shown}”: ${message}`;
}
const MAX_QUOTED = 60;

function prepare(
  fields: readonly EditableField[],
  field: EditableField,
  fieldIndex: number,
  sent: BulkEdit<JsonValue | number>,
): Prepared {
  const base = { field: field.name };
  switch (sent.do) {
    case 'set': {
      const raw = typeof sent.value === 'number' ? new JsonNumber(String(sent.value)) : sent.value;
      const parsed = parseType(field, raw);
      if (!parsed.ok) return { key: 'value', message: parsed };
      const { value } = parsed;
      return { edit: { ...base, do: 'set', value }, step: setTo(fieldIndex, value) };
    }
    case 'clear':
      return { edit: { ...base, do: 'clear' }, step: setTo(fieldIndex, null) };
    case 'prepend':
    case 'append':
    case 'replace':
    case 'replacePattern':
      if (valueType(field.type).family === 'boolean')
        return { key: 'field', message: texts.notForBoolean };
      return prepareTextEdit(field, fieldIndex, sent);
    case 'trim':
    case 'case':
      if (!isText(field)) return { key: 'field', message: texts.forTextOnly };
      return prepareTextEdit(field, fieldIndex, sent);
    case 'replaceValues': {
      if (!isText(field)) return { key: 'field', message: texts.forTextOnly };
      const { replacements, remember = false } = sent;
      const next = new Map<Scalar, string>(replacements.map(({ from, to }) => [from, to]));
      const step: Step = (values) => {
        const value = values[fieldIndex] ?? null;
        values[fieldIndex] = next.get(value) ?? value;
        return null;
      };
      return { edit: { ...base, do: sent.do, replacements, remember }, step };
    }
    case 'copy': {
      const from = indexOfName(fields, sent.from);
      const source = fields[from];
      if (!source) return { key: 'from', message: noField(sent.from) };
      return {
        edit: { ...base, do: 'copy', from: source.name },
        step: copy(field, fieldIndex, source, from),
      };
    }
    case 'parse':
      return prepareParse(fields, field, fieldIndex, sent);
    default:
      return sent satisfies never;
  }
}

type TextEdit = Extract<
  BulkEdit,
  { readonly do: 'prepend' | 'append' | 'replace' | 'replacePattern' | 'trim' | 'case' }
>;

/** A step that changes the text of the field's value, in the form of the interface, and parses it again. */
function prepareTextEdit(field: EditableField, fieldIndex: number, sent: TextEdit): Prepared {
  const change = textChangeOf(sent);
  if ('key' in change) return change;
  return {
    edit: { ...sent, field: field.name },
    step(values) {
      const old = values[fieldIndex] ?? null;
      if (old === null) return null;
      const changed = change(textOf(old));
      return changed.ok ? put(field, fieldIndex, values, changed.text) : changed.message;
    },
  };
}

function textChangeOf(sent: TextEdit): ((text: string) => EditedText) | Refused {
  switch (sent.do) {
    case 'prepend':
      return (old) => ({ ok: true, text: old === '' ? '' : sent.text + old });
    case 'append':
      return (old) => ({ ok: true, text: old === '' ? '' : old + sent.text });
    case 'replace':
      return replacer(sent.find, sent.with, sent.matchCase);
    case 'replacePattern': {
      const made = patternReplacer(sent.pattern, sent.with, sent.matchCase);
      return 'wrong' in made ? { key: made.wrong, message: made.message } : made.replace;
    }
    case 'trim':
      return (text) => ({ ok: true, text: trimBlanks(text) });
    case 'case':
      return (text) => ({ ok: true, text: changeCase(text, sent.to) });
    default:
      return sent satisfies never;
  }
}

function noField(sent: string): Message {
  return texts.noIndexField({ name: sent.toWellFormed() });
}

function setTo(fieldIndex: number, value: Scalar): Step {
  return (values) => {
    values[fieldIndex] = value;
    return null;
  };
}

/** Parses a text as a value of the field's type; an invalid one is shown as it is. */
function put(
  field: EditableField,
  fieldIndex: number,
  values: Scalar[],
  text: string,
): string | null {
  if (text.length > MAX_TEXT_LENGTH * 2) return texts.resultMuchTooLong;
  const parsed = parseType(field, text);
  values[fieldIndex] = parsed.ok ? parsed.value : text;
  return parsed.ok ? null : parsed.message;
}

/** A value in the form of the interface, numbers without an exponent. */
function textOf(value: string | number | boolean): string {
  return typeof value === 'number' ? plainDecimal(value) : String(value);
}

function copy(field: EditableField, fieldIndex: number, source: EditableField, from: number): Step {
  return (values) => {
    const value = values[from] ?? null;
    const same = source.type === field.type && typeof value !== 'number';
    if (value === null || same) return setTo(fieldIndex, value)(values);
    return put(field, fieldIndex, values, textOf(value));
  };
}

function prepareParse(
  fields: readonly EditableField[],
  field: EditableField,
  fieldIndex: number,
  sent: { readonly from: string | null } & Notation,
): Prepared {
  const from = sent.from === null ? fieldIndex : indexOfName(fields, sent.from);
  const source = fields[from];
  if (!source) return { key: 'from', message: noField(sent.from ?? '') };
  if (isText(field)) {
    return { key: 'field', message: texts.notForText };
  }
  const { decimal, order } = sent;
  const notation = { decimal, order };
  return {
    edit: {
      field: field.name,
      do: 'parse',
      from: from === fieldIndex ? null : source.name,
      ...notation,
    },
    step(values) {
      const text = values[from] ?? null;
      // Without a text to parse, the present value stays.
      if (text === null || String(text).trim() === '') return null;
      if (!isText(source)) return copy(field, fieldIndex, source, from)(values);
      const reading = readText(field, String(text), notation);
      if (reading.kind === 'value') return setTo(fieldIndex, reading.value)(values);
      values[fieldIndex] = text;
      if (reading.kind === 'unreadable') return reading.message;
      return texts.ambiguous(reading.readings.map(({ value }) => String(value)));
    },
  };
}
