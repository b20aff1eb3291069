import type { ValueRules } from '#shared/values/values.ts';
import { hasRule, isNumber, valueType } from '#shared/values/registry.ts';
import { userLocale } from '#shared/messages/format.ts';
import type { ControlProps } from '#web/ui/field.tsx';

/** Where the editors put focus and select what is in them. */
export type EditorElement = HTMLInputElement | HTMLTextAreaElement;

/**
 * Every editor is controlled, holds the text as it was typed (null: no value) and reports only what the user changes: a
 * value that nobody has touched stays as it was, to the byte. Whether the text is a value is decided by `parseField`.
 */
export interface EditorProps {
  readonly control?: ControlProps | undefined;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** what an emptied text becomes; '' only where the stored value was '' */
  readonly emptyAs?: '' | null | undefined;
  readonly readOnly?: boolean | undefined;
  readonly onBlur?: (() => void) | undefined;
  /** gets the element to focus */
  readonly ref?: ((element: EditorElement | null) => void) | undefined;
}

/** What of a field's definition its editor needs; without a scale any places are numbers. */
export type EditorRules = Pick<ValueRules, 'type' | 'options'> & Partial<Pick<ValueRules, 'scale'>>;

/** The props of an editor for the values of a type. */
export interface TypeEditorProps extends EditorProps {
  readonly rules: EditorRules;
}

/** The text of an editor as its value. */
export function valueOf(text: string, emptyAs: '' | null = null): string | null {
  return text === '' ? emptyAs : text;
}

/** How the reader writes a value of the type, as a placeholder: `DD/MM/YYYY HH:mm`; undefined: it needs none. */
export function placeholderOf({ type }: Pick<ValueRules, 'type'>): string | undefined {
  return valueType(type).form?.(userLocale());
}

/** The keys that a touch screen offers for values of the type; undefined: all. */
export function inputModeOf(rules: Pick<ValueRules, 'type'>): 'numeric' | 'decimal' | undefined {
  if (!isNumber(rules)) return undefined;
  return hasRule(rules.type, 'scale') ? 'decimal' : 'numeric';
}
