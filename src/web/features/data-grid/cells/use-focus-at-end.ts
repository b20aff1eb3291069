import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { EditorElement } from '#web/fields/editor.ts';

/** Focuses the editor when it opens, with the caret after the last character. */
export function useFocusAtEnd<Editor extends EditorElement>(
  /** undefined: uses a new ref */
  given?: RefObject<Editor | null>,
): RefObject<Editor | null> {
  const own = useRef<Editor>(null);
  const editor = given ?? own;
  useLayoutEffect(() => {
    editor.current?.focus({ preventScroll: true });
    const end = editor.current?.value.length ?? 0;
    editor.current?.setSelectionRange(end, end);
  }, [editor]);
  return editor;
}
