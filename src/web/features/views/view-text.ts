import type { View } from '#shared/contract/workspace-answers.ts';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';

/** A view as text, equal for equal views, for saving and comparing; without the open record. */
export function writeView({ selected: _selected, view: _view, ...shown }: ListView): string {
  return new URLSearchParams(writeListView(shown)).toString();
}

/** The filter of a list as text, equal for equal filters; '' without a filter. */
export function filterKey({ where = [], q = '' }: ListView): string {
  return listQueryString({ where, q });
}

/** The saved view with the present rows of a list, in any order; undefined: none. */
export function shownView(views: readonly View[], view: ListView): View | undefined {
  const rows = filterKey(view);
  if (rows === '') return undefined;
  const matching = views.filter(({ search }) => filterKey(readView(search)) === rows);
  return matching.find(({ viewId }) => viewId === view.view) ?? matching[0];
}

/** Parses the text of `writeView`; unknown parameters are ignored. */
export function readView(text: string): ListView {
  const { selected: _, ...view } = readListView(Object.fromEntries(new URLSearchParams(text)));
  return view;
}
