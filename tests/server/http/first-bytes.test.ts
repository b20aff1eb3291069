import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ByteRange } from '#server/http/byte-range.ts';
import { defineRead } from '#server/http/route.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';

const CONTENT = Buffer.from('abcdefghij');

/** Bytes in pieces of three, each of which arrives by itself. */
async function* arriving({ first, last }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; at += 3) {
    await setImmediate();
    yield CONTENT.subarray(at, Math.min(at + 3, last + 1));
  }
}

describe('the headers that depend on the first bytes', () => {
  const { open } = testDatabases('sqlite');

  /**
   * Serves the bytes at `test/bytes`.
   * @param size as it was recorded
   * @param needed the number of bytes that the headers depend on
   */
  async function serve(size: number, needed: number) {
    const bytes = {
      size,
      etag: '"a"',
      open: async ({ first, last }: ByteRange = { first: 0, last: size - 1 }) =>
        Readable.from(arriving({ first, last: Math.min(last, CONTENT.length - 1) }), {
          objectMode: false,
        }),
      startHeaders: {
        bytes: needed,
        of: (start: Buffer) => ({ 'x-start': start.toString() }),
      },
    };
    const route = defineRead({
      path: 'test/bytes',
      summary: 'Bytes',
      target: 'none',
      answer: 'bytes',
      handle: async () => ({ bytes }),
    });
    const t = await openApp(open, { routes: [route] });
    await buildUser(t.database);
    return t.signedIn('clerk');
  }

  it('are the same for all of the bytes and for a range of the first ones', async () => {
    const client = await serve(CONTENT.length, 8);
    const whole = await client.get('test/bytes');
    expect([whole.headers['x-start'], whole.text]).toEqual(['abcdefgh', 'abcdefghij']);
    const part = await client.get('test/bytes', { headers: { range: 'bytes=0-4' } });
    expect([part.headers['x-start'], part.text]).toEqual(['abcdefgh', 'abcde']);
  });

  it('do not keep a client waiting for bytes that are missing in the store', async () => {
    const client = await serve(CONTENT.length + 1, CONTENT.length + 1);
    await expect(client.get('test/bytes')).rejects.toThrow('destroyed before completion');
  });
});
