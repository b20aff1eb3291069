import { inflateSync } from 'node:zlib';

/** What a PDF with standard fonts shows, read without the code that wrote it. */
export interface PdfContent {
  readonly pages: number;
  /** each shown piece of text */
  readonly texts: readonly string[];
  /** the drawing operators of each stream, decompressed */
  readonly streams: readonly string[];
}

const windows1252 = new TextDecoder('windows-1252');

/** Reads the page count and the hexadecimal strings of all `TJ` operators in the deflated streams. */
export function readPdf(bytes: Buffer): PdfContent {
  const source = bytes.toString('latin1');
  const compressed = source.matchAll(
    /\/Length (\d+)[^>]*\/Filter \/FlateDecode[^>]*>>\s*stream\r?\n/g,
  );
  const texts: string[] = [];
  const streams: string[] = [];
  for (const match of compressed) {
    const start = match.index + match[0].length;
    const content = inflateSync(bytes.subarray(start, start + Number(match[1]))).toString('latin1');
    streams.push(content);
    for (const [, pieces = ''] of content.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...pieces.matchAll(/<([0-9a-fA-F]*)>/g)].map(([, digits = '']) => digits);
      texts.push(windows1252.decode(Buffer.from(hex.join(''), 'hex')));
    }
  }
  return { pages: [...source.matchAll(/\/Type \/Page\b(?!s)/g)].length, texts, streams };
}
