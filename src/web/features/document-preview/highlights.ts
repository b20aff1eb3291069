/** Highlights the occurrences of the focused field's value. */
export function highlightValue(ranges: readonly Range[]) {
  if (!('Highlight' in window)) return;
  CSS.highlights.set('document-value', new Highlight(...ranges));
}

/** Highlights found places without changing the DOM; the current one more strongly. */
export function highlight(
  ranges: readonly Range[],
  current: Range | null,
  view: Window & typeof globalThis = window,
) {
  // A frame has its own highlight registry; without the API nothing is highlighted.
  if (!('Highlight' in view)) return;
  const { highlights } = view.CSS;
  highlights.set('document-hits', new view.Highlight(...ranges));
  highlights.set('document-hit', new view.Highlight(...(current ? [current] : [])));
}
