import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { SHEET } from './flow-layout.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';

/** The text selected in the document, and the position of the button that copies it (pixels in the pane). */
interface SelectedText {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Watches the selection in the pane or in its frame; Alt+Enter copies it into the form. */
export function useSelectedText(
  pane: RefObject<HTMLElement | null>,
  frame: HTMLIFrameElement | null,
  onInsertText: ((text: string) => void) | undefined,
) {
  const [selectedText, setSelectedText] = useState<SelectedText | null>(null);
  const selected = () => {
    const element = pane.current;
    const inner = frame?.isConnected ? frame : null;
    return element && (selectedIn(element, null) ?? (inner && selectedIn(element, inner)));
  };
  const look = useEffectEvent(() => setSelectedText(selected()));
  useEffect(() => {
    const documents = [document, frame?.contentDocument].filter((each) => each != null);
    for (const each of documents) each.addEventListener('selectionchange', look);
    return () => {
      for (const each of documents) each.removeEventListener('selectionchange', look);
    };
  }, [frame]);
  const insert = () => {
    // The key may come before the selection is rendered.
    const now = selected();
    if (!now || !onInsertText) return false;
    onInsertText(now.text);
    setSelectedText(null);
    return true;
  };
  useShortcut(VIEWER_KEYS.take, insert, { inFields: true, enabled: onInsertText !== undefined });
  return { selectedText: onInsertText ? selectedText : null, insert };
}

function selectedIn(pane: HTMLElement, frame: HTMLIFrameElement | null): SelectedText | null {
  const selection = (frame?.contentDocument ?? document).getSelection();
  const text = selection?.toString().trim() ?? '';
  if (!selection || text === '' || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!frame && !pane.contains(range.commonAncestorContainer)) return null;
  const at = positionOf(range, frame);
  const around = pane.getBoundingClientRect();
  const bottom = at.bottom - around.top;
  const left = at.left - around.left;
  return {
    text,
    left: Math.max(6, Math.min(left, around.width - 170)),
    top: Math.max(44, Math.min(bottom + 6, around.height - 40)),
  };
}

/** The position of a range on the screen, also in a frame that is rotated or scaled. */
function positionOf(range: Range, frame: HTMLIFrameElement | null) {
  const at = range.getBoundingClientRect();
  if (!frame) return at;
  const sheet = frame.closest<HTMLElement>(`[${SHEET}]`);
  const drawn = new DOMMatrixReadOnly(sheet?.style.transform);
  const onSheet = (left: number, top: number) =>
    drawn.transformPoint({ x: frame.offsetLeft + left, y: frame.offsetTop + top });
  const corners = [onSheet(at.left, at.top), onSheet(at.right, at.bottom)];
  const from = sheet?.parentElement?.getBoundingClientRect();
  return {
    left: Math.min(...corners.map(({ x }) => x)) + (from?.left ?? 0),
    bottom: Math.max(...corners.map(({ y }) => y)) + (from?.top ?? 0),
  };
}
