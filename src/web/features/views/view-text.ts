import type { View } from '#shared/desk.ts';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';
import type { Widths } from '#web/ui/list-tools/column-widths.ts';

/** What a view keeps: what the list shows and how wide its columns are, without the open revision. */
export interface KeptView {
  readonly view: ListView;
  readonly widths: Widths;
}

/** A view as one text, the same for equal views, to be saved and compared. */
export function writeView({ view, widths }: KeptView): string {
  const { selected: _selected, view: _view, ...shown } = view;
  const text = new URLSearchParams(writeListView(shown));
  const wide = Object.entries(widths)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, width]) => `${encodeURIComponent(name)}:${Math.round(width)}`);
  if (wide.length > 0) text.set('widths', wide.join(','));
  return text.toString();
}

/** The name of the saved view whose rows a list shows now; undefined: none says just that. */
export function nameOfShown(views: readonly View[], view: ListView): string | undefined {
  const rows = listQueryString(view);
  if (rows === '') return undefined;
  const same = views.filter(({ search }) => listQueryString(readView(search).view) === rows);
  return (same.find(({ viewId }) => viewId === view.view) ?? same[0])?.name;
}

/** Reads what `writeView` has written; what it does not know it leaves out. */
export function readView(text: string): KeptView {
  const parameters = new URLSearchParams(text);
  const widths = (parameters.get('widths') ?? '').split(',').flatMap((one) => {
    const [name = '', width = ''] = one.split(':');
    const pixels = Number(width);
    return name !== '' && pixels > 0 ? [[decodeURIComponent(name), pixels] as const] : [];
  });
  const { selected: _selected, ...view } = readListView(Object.fromEntries(parameters));
  return { view, widths: Object.fromEntries(widths) };
}
