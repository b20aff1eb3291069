import { Parser } from 'htmlparser2';
import type { Readable } from 'node:stream';

/** Receives the content of an XML document in its order. Names are without the prefix of their namespace. */
export interface XmlVisitor {
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  /** A text may come in several pieces. */
  readonly onText?: (piece: string) => void;
  readonly onClose?: (name: string) => void;
}

/** Bytes of one tag or comment, which the parser keeps in memory. */
const MAX_TAG = 1024 * 1024;

/**
 * Reads an XML document as a stream. Entities that the document itself defines are not replaced.
 * @yields whenever the visitor has received the content of a chunk
 * @throws {Error} if a tag or comment is too long, or the stream fails
 */
export async function* visitXml(stream: Readable, visitor: XmlVisitor): AsyncGenerator<void> {
  let sinceContent = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        sinceContent = 0;
        visitor.onOpen(localName(name), attributes);
      },
      ontext(piece) {
        sinceContent = 0;
        visitor.onText?.(piece);
      },
      onclosetag(name) {
        visitor.onClose?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    sinceContent += chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (sinceContent > MAX_TAG) throw new Error('The document contains too long a tag.');
    yield;
  }
  parser.end(decoder.decode());
  yield;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
