import { isFocusAtPageStart } from '#web/ui/page.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';

/** Lets an arrow key enter the grid after its page was opened. */
export function useGridEntry(onEnter: () => void): void {
  const enter = () => {
    if (!isFocusAtPageStart()) return false;
    onEnter();
    return undefined;
  };
  useShortcut('ArrowDown', enter);
  useShortcut('ArrowUp', enter);
  useShortcut('ArrowLeft', enter);
  useShortcut('ArrowRight', enter);
}
