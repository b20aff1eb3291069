import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { partsOf } from '#server/http/form-parts.ts';

const LIMITS = { maxParts: 20_000, maxPartBytes: 100_000, maxFieldBytes: 100_000_000 };
const FIELDS = 1_000;
const FIELD_BYTES = 50_000;

/** The chunks of a form with a file and fields behind it. */
function* formWithFile(onChunk: (bytes: number) => void): Generator<Buffer> {
  const part = (head: string, body: string) =>
    Buffer.from(`--xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`);
  yield part('name="file"; filename="a.pdf"', 'x'.repeat(1_000));
  for (let i = 0; i < FIELDS; i++) {
    onChunk(FIELD_BYTES);
    yield part(`name="${i}"`, String(i % 10).repeat(FIELD_BYTES));
  }
  yield Buffer.from('--xyz--\r\n');
}

it('does not receive many parts into memory while a file is not read', async () => {
  let received = 0;
  const chunks = formWithFile((bytes) => (received += bytes));
  const raw = Object.assign(Readable.from(chunks), {
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  });
  const fields: string[] = [];
  for await (const part of partsOf(raw, LIMITS)) {
    if (part.kind === 'file') {
      // As long as more arrives.
      for (let before = -1; before !== received;) {
        before = received;
        for (let turn = 0; turn < 50; turn++) await setImmediate();
      }
      expect(received).toBeLessThan(150 * FIELD_BYTES);
      for await (const chunk of part.bytes) expect(chunk.length).toBeGreaterThan(0);
    } else {
      expect(part.bytes).toHaveLength(FIELD_BYTES);
      fields.push(String(part.name));
    }
  }
  expect(fields).toEqual(Array.from({ length: FIELDS }, (_, i) => String(i)));
});
