import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';

/** The text selected in the document, and where the button to take it stands in the pane (pixels). */
export interface Taking {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Watches what is selected in the pane or in its frame; Alt+Enter takes it. */
export function useTaking(
  pane: RefObject<HTMLElement | null>,
  frame: HTMLIFrameElement | null,
  onTake: ((text: string) => void) | undefined,
) {
  const [taking, setTaking] = useState<Taking | null>(null);
  const selected = () => {
    const element = pane.current;
    const inner = frame?.isConnected ? frame : null;
    return element && (selectedIn(element, null) ?? (inner && selectedIn(element, inner)));
  };
  const look = useEffectEvent(() => setTaking(selected()));
  useEffect(() => {
    const documents = [document, frame?.contentDocument].filter((each) => each != null);
    for (const each of documents) each.addEventListener('selectionchange', look);
    return () => {
      for (const each of documents) each.removeEventListener('selectionchange', look);
    };
  }, [frame]);
  const take = () => {
    // The key may come before what was selected is drawn.
    const now = selected();
    if (!now || !onTake) return false;
    onTake(now.text);
    setTaking(null);
    return true;
  };
  useShortcut(VIEWER_KEYS.take, take, { inFields: true, enabled: onTake !== undefined });
  const onInnerKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey && event.key === 'Enter' && take()) event.preventDefault();
  });
  useEffect(() => {
    const inner = frame?.contentDocument;
    const listener = (event: KeyboardEvent) => onInnerKey(event);
    inner?.addEventListener('keydown', listener);
    return () => inner?.removeEventListener('keydown', listener);
  }, [frame]);
  return { taking: onTake ? taking : null, take };
}

function selectedIn(pane: HTMLElement, frame: HTMLIFrameElement | null): Taking | null {
  const selection = (frame?.contentDocument ?? document).getSelection();
  const text = selection?.toString().trim() ?? '';
  if (!selection || text === '' || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!frame && !pane.contains(range.commonAncestorContainer)) return null;
  const at = range.getBoundingClientRect();
  const around = pane.getBoundingClientRect();
  const shift = frame?.getBoundingClientRect();
  const bottom = at.bottom + (shift?.top ?? 0) - around.top;
  const left = at.left + (shift?.left ?? 0) - around.left;
  return {
    text,
    left: Math.max(6, Math.min(left, around.width - 170)),
    top: Math.max(44, Math.min(bottom + 6, around.height - 40)),
  };
}
