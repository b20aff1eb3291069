import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import * as texts from '#messages/service/http.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { tooLarge } from './receive-body.ts';

/** A part of a multipart form. */
export type FormPart = FormField | FormFile;

interface FormField {
  readonly kind: 'field';
  /** undefined: it has none */
  readonly name: string | undefined;
  readonly bytes: Buffer;
}

interface FormFile {
  readonly kind: 'file';
  readonly name: string | undefined;
  readonly filename: string;
  readonly contentType: string;
  /** ends early, with `truncated` and an event `limit`, if the file is longer than `maxPartBytes` */
  readonly bytes: BusboyFileStream;
}

interface FormLimits {
  readonly maxParts: number;
  /** of each part, in bytes */
  readonly maxPartBytes: number;
  /** of all fields together, in bytes */
  readonly maxFieldBytes: number;
}

/** A field that has arrived, perhaps not completely. */
class ArrivingField {
  readonly chunks: Buffer[] = [];
  isComplete = false;
  error: unknown = null;
  readonly name: string | undefined;
  readonly stream: BusboyFileStream;

  constructor(name: string | undefined, stream: BusboyFileStream) {
    this.name = name;
    this.stream = stream;
  }
}

/** Parts that may wait while a file is read; the connection is not read further meanwhile. */
const MAX_WAITING_PARTS = 100;

/**
 * The parts of a form, in their order. A file must be read before the next part is taken. Fields are read while they arrive;
 * those behind a file wait for it, up to about 100 with up to 64 KiB each in memory.
 * @throws {ApiError} 413
 * @throws {Error} if it is not a complete form, or the client disconnects
 */
export async function* partsOf(
  raw: Pick<IncomingMessage, 'headers'> & Readable,
  { maxParts, maxPartBytes, maxFieldBytes }: FormLimits,
): AsyncGenerator<FormPart, void> {
  const parser = new Busboy({
    headers: { 'content-type': raw.headers['content-type'] ?? '' },
    preservePath: true,
    // Fields as streams of bytes too, although that takes longer: as values they would be decoded without an error, by whatever
    // character set the part names, and those behind a file would be received into memory while it is flushed.
    isPartAFile: () => true,
    limits: { parts: maxParts, fileSize: maxPartBytes },
  });
  const arrived: (ArrivingField | FormFile)[] = [];
  /** files that have arrived and are not read yet */
  let files = 0;
  let fieldBytes = 0;
  let newest: BusboyFileStream | undefined;
  let end: { readonly error: unknown } | undefined;
  let wake: () => void = ignore;

  const endWith = (error: unknown) => {
    end ??= { error };
    wake();
  };
  const fail = (error: unknown) => {
    endWith(error);
    newest?.destroy(error instanceof Error ? error : undefined);
  };
  // By events: async iterators take several times as long for short fields.
  const read = (field: ArrivingField) => {
    const { chunks, stream } = field;
    const complete = (error: unknown) => {
      if (field.isComplete) return;
      field.isComplete = true;
      field.error = error;
      wake();
    };
    // The parser truncates each part at the limit of files, which can be lower.
    const refuseTruncated = () => complete(tooLarge(Math.min(maxPartBytes, maxFieldBytes)));
    stream
      .on('data', (chunk: Buffer) => {
        if (!field.isComplete) chunks.push(chunk);
        fieldBytes += chunk.length;
        if (fieldBytes > maxFieldBytes) complete(tooLarge(maxFieldBytes));
      })
      .on('limit', refuseTruncated)
      .on('end', () => complete(null))
      .on('close', () => complete(stream.errored ?? new Error('The field is incomplete.')));
    if (stream.truncated) refuseTruncated();
    if (stream.destroyed) complete(stream.errored ?? new Error('The field is incomplete.'));
  };
  const takeFirst = () => {
    arrived.shift();
    if (arrived.length === MAX_WAITING_PARTS && !raw.readableEnded) raw.pipe(parser);
  };
  const onClose = () => {
    if (!raw.readableEnded) fail(new Error('The client has disconnected.'));
  };

  parser
    // The file name of a field is undefined, whatever the type says.
    .on('file', (name, stream, filename: string | undefined, _encoding, contentType) => {
      newest = stream;
      // Errors are found by the event `close`, or by the reader of the file.
      stream.on('error', ignore);
      if (filename === undefined) {
        const field = new ArrivingField(name, stream);
        arrived.push(field);
        if (files === 0) read(field);
      } else {
        files += 1;
        arrived.push({ kind: 'file', name, filename, contentType, bytes: stream });
      }
      if (arrived.length > MAX_WAITING_PARTS) raw.unpipe(parser);
      wake();
    })
    .on('partsLimit', () =>
      endWith(new ApiError('too_large', texts.tooManyParts({ max: maxParts }))),
    )
    .on('finish', () => endWith(null))
    .on('error', fail);
  raw.on('close', onClose).on('error', fail);
  raw.pipe(parser);
  try {
    for (;;) {
      const [part] = arrived;
      if (part instanceof ArrivingField && part.isComplete) {
        takeFirst();
        if (part.error !== null) throw part.error;
        yield { kind: 'field', name: part.name, bytes: Buffer.concat(part.chunks) };
      } else if (part && !(part instanceof ArrivingField)) {
        takeFirst();
        yield part;
        files -= 1;
        for (const next of arrived) {
          if (!(next instanceof ArrivingField)) break;
          read(next);
        }
      } else if (part || !end) await new Promise<void>((resolve) => (wake = resolve));
      else if (end.error === null) return;
      else throw end.error;
    }
  } finally {
    raw.off('close', onClose).unpipe(parser);
  }
}

const ignore = () => undefined;
