/** Marks the places where the value of the focused field stands. */
export function highlightValue(ranges: readonly Range[]) {
  if (!('Highlight' in window)) return;
  CSS.highlights.set('document-value', new Highlight(...ranges));
}

/** Marks found places without touching what is marked; the current one is marked more strongly. */
export function highlight(
  ranges: readonly Range[],
  current: Range | null,
  view: Window & typeof globalThis = window,
) {
  // A frame has highlights of its own; browsers without them mark nothing.
  if (!('Highlight' in view)) return;
  const { highlights } = view.CSS;
  highlights.set('document-hits', new view.Highlight(...ranges));
  highlights.set('document-hit', new view.Highlight(...(current ? [current] : [])));
}
