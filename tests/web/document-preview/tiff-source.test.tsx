import { expect, it, onTestFinished, vi } from 'vitest';
import { CannotDisplayError } from '#web/features/document-preview/page-source.ts';
import { openTiff } from '#web/features/document-preview/tiff-source.ts';

/** A decoder that answers which pages there are, and is busy with each page from then on. */
class BusyDecoder extends EventTarget {
  static answers = true;
  static readonly running = new Set<BusyDecoder>();

  constructor() {
    super();
    BusyDecoder.running.add(this);
  }

  postMessage(request: object): void {
    if (!BusyDecoder.answers || !('file' in request)) return;
    const pages = [{ width: 8, height: 8, dotsX: 96, dotsY: 96 }];
    this.dispatchEvent(new MessageEvent('message', { data: { pages } }));
  }

  terminate(): void {
    BusyDecoder.running.delete(this);
  }
}

const open = ({ answers }: { readonly answers: boolean }) => {
  BusyDecoder.answers = answers;
  BusyDecoder.running.clear();
  vi.stubGlobal('Worker', BusyDecoder);
  // So that the time limit of an answer does not end it.
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const stop = new AbortController();
  return { stop, source: openTiff(new ArrayBuffer(8), stop.signal) };
};

it('ends the decoding of a page when its file is closed', async () => {
  const source = await open({ answers: true }).source;
  const drawing = source.draw({
    page: 1,
    scale: 1,
    rotation: 0,
    canvas: document.createElement('canvas'),
    layer: document.createElement('div'),
    signal: new AbortController().signal,
  });
  source.close();
  await expect(drawing).rejects.toBeInstanceOf(CannotDisplayError);
  expect(BusyDecoder.running.size).toBe(0);
});

it('ends the reading of a file that is no longer needed', async () => {
  const { stop, source } = open({ answers: false });
  stop.abort();
  await expect(source).rejects.toBeInstanceOf(CannotDisplayError);
  expect(BusyDecoder.running.size).toBe(0);
});
