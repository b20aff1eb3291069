import type { View } from '#shared/contract/workspace-answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { rememberWidths, useWidths, writeWidths } from '#web/grid/column-widths.ts';
import { readView } from './view-text.ts';

/** Shows the list as a saved view keeps it; null: as it is without any. */
export function useShowView(
  place: ListPlace,
  view: ListView,
  onViewChange: (view: ListView) => void,
): (chosen: View | null) => void {
  const widths = useWidths(place.id);
  return (chosen) => {
    const kept = readView(chosen?.search ?? '');
    const wide = writeWidths(kept.widths);
    if (wide !== '') rememberWidths(place.id, kept.widths);
    const { selected } = view;
    onViewChange({
      ...kept.view,
      ...(chosen ? { view: chosen.viewId } : {}),
      widths: wide || writeWidths(widths),
      ...(selected === undefined ? {} : { selected }),
    });
  };
}
