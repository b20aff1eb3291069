/** A range in a text, end exclusive, in UTF-16 units. */
export interface Hit {
  readonly from: number;
  readonly to: number;
}

/** More hits would be useless. */
const MAX_MATCHES = 5000;

/** The occurrences of a text, ignoring case; any white space matches any other. */
export function findText(text: string, query: string): Hit[] {
  const words = query.trim().split(/\s+/);
  if (words[0] === '') return [];
  const pattern = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const hits: Hit[] = [];
  for (const { index, 0: found } of text.matchAll(new RegExp(pattern.join('\\s+'), 'giu'))) {
    if (hits.push({ from: index, to: index + found.length }) >= MAX_MATCHES) break;
  }
  return hits;
}

/** The text of an element, with a line break for each `br`, as `rangesIn` counts it. */
export function textIn(root: Node): string {
  return textPieces(root)
    .map(({ text }) => text)
    .join('');
}

/** The hits as DOM ranges. */
export function rangesIn(root: Node, hits: readonly Hit[]): Range[] {
  const segments: { node: Text; start: number; end: number }[] = [];
  let at = 0;
  for (const { node, text } of textPieces(root)) {
    if (node) segments.push({ node, start: at, end: at + text.length });
    at += text.length;
  }
  return hits.flatMap(({ from, to }) => {
    const first = segments.find(({ end }) => end > from);
    const last = segments.findLast(({ start }) => start < to);
    if (!first || !last || last.end < from) return [];
    const range = new Range();
    range.setStart(first.node, Math.max(0, from - first.start));
    range.setEnd(last.node, Math.min(last.node.length, to - last.start));
    return [range];
  });
}

function textPieces(root: Node): { node: Text | null; text: string }[] {
  const walker = (root.ownerDocument ?? document).createTreeWalker(root);
  const found: { node: Text | null; text: string }[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isText(node)) found.push({ node, text: node.data });
    else if (node.nodeName === 'BR') found.push({ node: null, text: '\n' });
  }
  return found;
}

// Nodes of a frame belong to another realm, where `instanceof` fails.
function isText(node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE;
}
