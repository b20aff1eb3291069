import { hasRule, isNumber, valueType } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import { userLocale } from '#shared/messages/format.ts';
import type { ControlProps } from '#web/ui/field.tsx';

/** The elements that editors focus and select. */
export type EditorElement = HTMLInputElement | HTMLTextAreaElement;

/**
 * Every editor is controlled, contains the text as typed (null: no value) and reports only changes by the user: an
 * untouched value stays the same byte by byte. `parseField` decides whether the text is valid.
 */
export interface EditorProps {
  readonly control?: ControlProps | undefined;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** the value of an emptied text; '' only if the stored value was '' */
  readonly emptyAs?: '' | null | undefined;
  readonly readOnly?: boolean | undefined;
  readonly onBlur?: (() => void) | undefined;
  /** receives the element to focus */
  readonly ref?: ((element: EditorElement | null) => void) | undefined;
}

/** The parts of a field's definition that its editor needs; without a scale, numbers may have any number of places. */
export type EditorRules = Pick<ValueRules, 'type' | 'options'> & Partial<Pick<ValueRules, 'scale'>>;

/** The props of an editor for the values of a type. */
export interface TypeEditorProps extends EditorProps {
  readonly rules: EditorRules;
}

/** Converts the text of an editor to its value. */
export function valueOf(text: string, emptyAs: '' | null = null): string | null {
  return text === '' ? emptyAs : text;
}

/** The user's format of the type as a placeholder: `DD/MM/YYYY HH:mm`; undefined: none. */
export function placeholderOf({ type }: Pick<ValueRules, 'type'>): string | undefined {
  return valueType(type).form?.(userLocale());
}

/** The touch keyboard for values of the type; undefined: the full one. */
export function inputModeOf(rules: Pick<ValueRules, 'type'>): 'numeric' | 'decimal' | undefined {
  if (!isNumber(rules)) return undefined;
  return hasRule(rules.type, 'scale') ? 'decimal' : 'numeric';
}
