import type { View } from '#shared/contract/workspace-answers.ts';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';
import { readWidths, type Widths, writeWidths } from '#web/grid/column-widths.ts';

/** What a view keeps: what the list shows and how wide its columns are, without the open revision. */
export interface KeptView {
  readonly view: ListView;
  readonly widths: Widths;
}

/** A view as one text, the same for equal views, to be saved and compared. */
export function writeView({ view, widths }: KeptView): string {
  const { selected: _selected, view: _view, widths: _widths, ...shown } = view;
  const text = new URLSearchParams(writeListView(shown));
  const wide = writeWidths(widths);
  if (wide !== '') text.set('widths', wide);
  return text.toString();
}

/** What keeps rows out of a list, whatever their order, the same for equal filters; '' where nothing does. */
export function narrowing({ where = [], q = '' }: ListView): string {
  return listQueryString({ where, q });
}

/** The saved view whose rows a list shows now, in whatever order; undefined: none says just that. */
export function shownView(views: readonly View[], view: ListView): View | undefined {
  const rows = narrowing(view);
  if (rows === '') return undefined;
  const same = views.filter(({ search }) => narrowing(readView(search).view) === rows);
  return same.find(({ viewId }) => viewId === view.view) ?? same[0];
}

/** Reads what `writeView` has written; what it does not know it leaves out. */
export function readView(text: string): KeptView {
  const parameters = new URLSearchParams(text);
  const { selected: _, widths = '', ...view } = readListView(Object.fromEntries(parameters));
  return { view, widths: readWidths(widths) };
}
