import PdfKit from 'pdfkit';

/** A PDF with one page for each text; '': an empty one. */
export async function pdfOf(...pages: readonly string[]): Promise<Buffer> {
  const document = new PdfKit({ autoFirstPage: false });
  for (const text of pages) document.addPage().text(text);
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}
