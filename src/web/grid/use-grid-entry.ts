import { isFocusAtPageStart } from '#web/ui/page.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';

/** After the page of a table was opened, an arrow key enters the grid. */
export function useWayIn(onEnter: () => void): void {
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
