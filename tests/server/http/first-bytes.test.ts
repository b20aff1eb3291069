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

  it('are made of as many as they need, however few arrive at once', async () => {
    const bytes = {
      size: CONTENT.length,
      etag: '"a"',
      open: async (range: ByteRange = { first: 0, last: CONTENT.length - 1 }) =>
        Readable.from(arriving(range), { objectMode: false }),
      startHeaders: {
        bytes: 8,
        of: (start: Buffer) => ({ 'x-start': start.toString('utf8', 0, 8) }),
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
    const client = await t.signedIn('clerk');
    const whole = await client.get('test/bytes');
    expect([whole.headers['x-start'], whole.text]).toEqual(['abcdefgh', 'abcdefghij']);
    const part = await client.get('test/bytes', { headers: { range: 'bytes=0-4' } });
    expect([part.headers['x-start'], part.text]).toEqual(['abcde', 'abcde']);
  });
});
