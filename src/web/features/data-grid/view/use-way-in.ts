import { useShortcut } from '#web/ui/shortcuts.ts';

/** Whoever has just come to a table has the keyboard nowhere, or on the link that led there: an arrow key enters it. */
export function useWayIn(onEnter: () => void): void {
  const enter = () => {
    const at = document.activeElement;
    if (at !== document.body && !at?.matches('a[aria-current=page]')) return false;
    onEnter();
    return undefined;
  };
  useShortcut('ArrowDown', enter);
  useShortcut('ArrowUp', enter);
  useShortcut('ArrowLeft', enter);
  useShortcut('ArrowRight', enter);
}
