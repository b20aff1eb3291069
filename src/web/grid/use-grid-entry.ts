import { isFocusAtPageStart } from '#web/ui/page.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';

/**
 * Lets an arrow key enter the grid after its page was opened, and ↓ from the search of the list.
 * @param onSearched enters it from the search
 */
export function useGridEntry(onEnter: () => void, onSearched = onEnter): void {
  const enter = ({ target }: KeyboardEvent) => {
    if (target instanceof Element && target.matches('[data-list-search]')) onSearched();
    else if (isFocusAtPageStart()) onEnter();
    else return false;
    return undefined;
  };
  useShortcut('ArrowDown', enter, { inFields: true });
  useShortcut('ArrowUp', enter);
  useShortcut('ArrowLeft', enter);
  useShortcut('ArrowRight', enter);
}
