/** The longest text for a single-line editor, in characters. */
export const MAX_LINE_LENGTH = 200;

const LINE_BREAK = /\r\n|\r|\n/;

/** Whether a text contains a line break, so that it needs a multi-line editor. */
export function hasLineBreak(text: string | null): boolean {
  return text !== null && LINE_BREAK.test(text);
}

/**
 * Applies an edit made in a `<textarea>` to the original text. The element turns every CRLF and CR into LF; untouched
 * parts must keep their line breaks, and new lines take the first kind of line break in the text.
 * @param raw the text before the edit, as stored
 * @param edited the element's text after it
 */
export function applyEdit(raw: string, edited: string): string {
  const convention = LINE_BREAK.exec(raw)?.[0] ?? '\n';
  const limit = edited.length;
  let start = 0;
  let rawStart = 0;
  while (start < limit && rawStart < raw.length) {
    const step = breakAfter(raw, rawStart);
    if ((step > 0 ? '\n' : raw[rawStart]) !== edited[start]) break;
    rawStart += step || 1;
    start++;
  }
  let end = limit;
  let rawEnd = raw.length;
  while (end > start && rawEnd > rawStart) {
    const step = breakBefore(raw, rawEnd);
    if (rawEnd - (step || 1) < rawStart) break;
    if ((step > 0 ? '\n' : raw[rawEnd - 1]) !== edited[end - 1]) break;
    rawEnd -= step || 1;
    end--;
  }
  const inserted = edited.slice(start, end).replaceAll('\n', convention);
  return join(join(raw.slice(0, rawStart), inserted), raw.slice(rawEnd));
}

/** Adjacent CR and LF must not merge into one line break. */
function join(before: string, after: string): string {
  return before.endsWith('\r') && after.startsWith('\n') ? `${before}\r${after}` : before + after;
}

function breakAfter(text: string, at: number): number {
  if (text[at] === '\r') return text[at + 1] === '\n' ? 2 : 1;
  return text[at] === '\n' ? 1 : 0;
}

function breakBefore(text: string, at: number): number {
  if (text[at - 1] === '\n') return text[at - 2] === '\r' ? 2 : 1;
  return text[at - 1] === '\r' ? 1 : 0;
}
