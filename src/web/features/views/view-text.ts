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

/** The list with a saved view; null: without any view. A view without widths keeps the widths of the columns. */
export function withSavedView({ selected, widths }: ListView, chosen: View | null): ListView {
  return {
    ...(widths === undefined ? {} : { widths }),
    ...readView(chosen?.search ?? ''),
    ...(chosen ? { view: chosen.viewId } : {}),
    ...(selected === undefined ? {} : { selected }),
  };
}

/**
 * A view with fields that were renamed in a saved one; unchanged if that was changed in another way. Definitions do not say
 * how their fields were called before: what names a field only in the unsaved part of the view keeps the old name. Then the
 * column is not shown, and the list cannot be read until the condition or sort is removed.
 */
export function withRenamedFields(view: ListView, before: string, now: string): ListView {
  const [former, present] = [readView(before), readView(now)];
  const names = fieldsIn(present);
  const renamed = new Map(fieldsIn(former).map((name, at) => [name, names[at] ?? name]));
  const rename = (name: string) => renamed.get(name) ?? name;
  const isRename = writeView(mapFields(former, rename)) === writeView(present);
  return isRename ? mapFields(view, rename) : view;
}

/** The names of fields in a view, each as often as it is there. */
function fieldsIn(view: ListView): readonly string[] {
  const names: string[] = [];
  mapFields(view, (name) => {
    names.push(name);
    return name;
  });
  return names;
}

/** The same view with other names of its fields. */
function mapFields(view: ListView, rename: (name: string) => string): ListView {
  const { where, sort, columns, widths, colours } = view;
  const withField = <T extends { readonly field: string }>(one: T): T => ({
    ...one,
    field: rename(one.field),
  });
  return {
    ...view,
    ...(where && { where: where.map(withField) }),
    ...(sort && {
      sort: sort.map((key) => (key.startsWith('-') ? `-${rename(key.slice(1))}` : rename(key))),
    }),
    ...(columns && { columns: columns.map(rename) }),
    ...(widths && {
      widths: Object.fromEntries(
        Object.entries(widths).map(([name, width]) => [rename(name), width]),
      ),
    }),
    ...(colours && { colours: colours.map(withField) }),
  };
}
