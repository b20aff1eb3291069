import type { View } from '#shared/contract/workspace-answers.ts';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';

/** A view as one text, the same for equal views, to be saved and compared; without the open record. */
export function writeView({ selected: _selected, view: _view, ...shown }: ListView): string {
  return new URLSearchParams(writeListView(shown)).toString();
}

/** What keeps rows out of a list, whatever their order, the same for equal filters; '' where nothing does. */
export function narrowing({ where = [], q = '' }: ListView): string {
  return listQueryString({ where, q });
}

/** The saved view whose rows a list shows now, in whatever order; undefined: none says just that. */
export function shownView(views: readonly View[], view: ListView): View | undefined {
  const rows = narrowing(view);
  if (rows === '') return undefined;
  const same = views.filter(({ search }) => narrowing(readView(search)) === rows);
  return same.find(({ viewId }) => viewId === view.view) ?? same[0];
}

/** Reads what `writeView` has written; unknown parameters are left out. */
export function readView(text: string): ListView {
  const { selected: _, ...view } = readListView(Object.fromEntries(new URLSearchParams(text)));
  return view;
}
