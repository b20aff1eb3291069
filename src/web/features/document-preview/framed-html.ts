const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** What is put before a page of somebody else, before anything of it is read. */
const HEAD = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><base target="_blank"><style>html{background:#fff;color:#000}body{margin:12px;font-family:sans-serif}::highlight(document-hits){background:#ffe08a}::highlight(document-hit){background:#ff9d3c}</style>`;

/** A page to be shown in a frame; its policy stands first, so that nothing in it comes before the policy. */
export function framedHtml(html: string): string {
  return HEAD + html;
}
