import { randomBytes } from 'node:crypto';

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  /** where not given, receivers take it for text/plain */
  readonly type?: string;
  readonly bytes: string | Buffer;
}

/** A multipart form (RFC 7578), with a boundary of its own each time. */
export function formOf(parts: readonly (readonly [name: string, value: string | FormFile])[]): {
  readonly body: Buffer;
  readonly headers: { readonly 'content-type': string };
} {
  const boundary = `----form${randomBytes(8).toString('hex')}`;
  const chunks: Buffer[] = [];
  for (const [name, value] of parts) {
    const file: Partial<FormFile> = typeof value === 'string' ? {} : value;
    const bytes = typeof value === 'string' ? value : value.bytes;
    const escape = (text: string) => text.replaceAll(/["\\]/g, '\\$&');
    const filename = file.name === undefined ? '' : `; filename="${escape(file.name)}"`;
    const type = file.type === undefined ? '' : `Content-Type: ${file.type}\r\n`;
    chunks.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"${filename}\r\n${type}\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    );
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    body: Buffer.concat(chunks),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
