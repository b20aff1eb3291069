import type { View } from '#shared/contract/workspace-answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { readView } from './view-text.ts';

/** Shows the list with a saved view; null: without any view. A view without widths keeps the widths of the columns. */
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
