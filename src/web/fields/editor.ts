import type { ControlProps } from '#web/ui/field.tsx';

/** Where the editors put focus and select what is in them. */
export type EditorElement = HTMLInputElement | HTMLTextAreaElement;

/**
 * Every editor is controlled, holds the text as typed (null: no value) and reports only what the
 * user really does: a value that nobody touched stays as it came, to the byte. Whether the text is
 * a value is for `parseValue` of `#shared/values/values.ts` to say, outside.
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

/** The text of an editor as its value. */
export function valueOf(text: string, emptyAs: '' | null = null): string | null {
  return text === '' ? emptyAs : text;
}
