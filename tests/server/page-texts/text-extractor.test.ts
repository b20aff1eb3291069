import { once } from 'node:events';
import { deflateSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { TextExtractor } from '#server/modules/page-texts/text-extractor.ts';
import { reserveMemory } from '#server/workers/memory-budget.ts';
import { pdfOf } from '#tests/support/pdf.ts';

const MEGABYTE = 1024 * 1024;
let extractor: TextExtractor;
afterEach(() => extractor.close());

const read = (bytes: Buffer, contentType = 'application/pdf') =>
  extractor.extract(async () => ({ bytes: new Uint8Array(bytes), contentType }));

/** A page whose content unpacks to so many bytes. */
function bomb(size: number): Buffer {
  const content = deflateSync(Buffer.alloc(size, ' '));
  const head = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj
4 0 obj <</Length ${content.length}/Filter/FlateDecode>> stream\n`;
  return Buffer.concat([
    Buffer.from(head),
    content,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R>>\n'),
  ]);
}

it(
  'extracts folded texts, page by page, and continues after files that are none',
  { tags: ['slow'] },
  async () => {
    extractor = new TextExtractor();
    const file = await pdfOf('Größe:  10', '', 'Ende');
    expect(await read(file)).toEqual({ text: 'grosse: 10\f\fende', isCut: false });
    expect(await read(Buffer.from('%PDF-1.4 nothing'))).toEqual({ problem: 'unreadable' });
    expect(await read(Buffer.alloc(0))).toEqual({ problem: 'unreadable' });
    expect(await read(Buffer.from('Änderung\r\n\u0001'), 'text/plain')).toEqual({
      text: 'anderung ',
      isCut: false,
    });
    expect(await read(Buffer.from('Stra\u00dfe', 'latin1'), 'text/plain')).toMatchObject({
      text: 'strasse',
    });
    expect(await read(Buffer.alloc(900_000, 'a'), 'text/plain')).toMatchObject({ isCut: true });
    expect(await read(file)).toMatchObject({ isCut: false });
  },
);

it('ends its idle thread when other work waits for the memory', { tags: ['slow'] }, async () => {
  extractor = new TextExtractor();
  const started = once(process, 'worker');
  expect(await read(Buffer.from('one'), 'text/plain')).toMatchObject({ text: 'one' });
  const [thread] = await started;
  const exited = once(thread, 'exit');
  const release = await reserveMemory(Infinity);
  await exited;
  release();
  expect(await read(Buffer.from('two'), 'text/plain')).toMatchObject({ text: 'two' });
});

it('gives up files that take too much memory or time', { tags: ['long'] }, async () => {
  extractor = new TextExtractor({ memory: 100 * MEGABYTE, time: 120_000 });
  expect(await read(bomb(400 * MEGABYTE))).toEqual({ problem: 'memory' });
  expect(await read(await pdfOf('after'))).toMatchObject({ text: 'after' });
  await extractor.close();
  extractor = new TextExtractor({ time: 1 });
  expect(await read(bomb(100 * MEGABYTE))).toEqual({ problem: 'timeout' });
});
