import type { View } from '#shared/contract/workspace-answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { readView } from './view-text.ts';

/**
 * Shows the list as a saved view has it; null: without any view. A view without widths leaves the columns as wide as
 * they are.
 */
export function useShowView(
  view: ListView,
  onViewChange: (view: ListView) => void,
): (chosen: View | null) => void {
  return (chosen) => {
    const { selected, widths } = view;
    onViewChange({
      ...(widths === undefined ? {} : { widths }),
      ...readView(chosen?.search ?? ''),
      ...(chosen ? { view: chosen.viewId } : {}),
      ...(selected === undefined ? {} : { selected }),
    });
  };
}
