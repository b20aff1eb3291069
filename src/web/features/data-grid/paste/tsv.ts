/**
 * Parses the text that spreadsheet programs copy: tabs between cells, line breaks between rows, and one at the end. A
 * quoted cell contains a tab, a line break or doubled quotation marks; other cells that begin with a quotation mark are
 * taken unchanged.
 */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (;;) {
    const quoted = text[at] === '"' ? readQuoted(text, at) : null;
    const end = quoted?.end ?? endOfCell(text, at);
    row.push(quoted?.cell ?? text.slice(at, end));
    const mark = text[end];
    at = end + 1;
    if (mark === '\t') continue;
    rows.push(row);
    row = [];
    if (mark === '\r' && text[at] === '\n') at++;
    if (mark === undefined || at >= text.length) return rows;
  }
}

function endOfCell(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isEnd(text[end])) end++;
  return end;
}

function isEnd(mark: string | undefined): boolean {
  return mark === undefined || mark === '\t' || mark === '\n' || mark === '\r';
}

function readQuoted(text: string, start: number): { cell: string; end: number } | null {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || !isEnd(text[close + 1])) return null;
  const inner = text.slice(start + 1, close);
  if (!/[\t\r\n]|""/.test(inner)) return null;
  return { cell: inner.replaceAll('""', '"'), end: close + 1 };
}
