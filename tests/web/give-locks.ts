import { locks } from 'node:worker_threads';
import { afterAll, beforeAll } from 'vitest';

/**
 * Gives the pages of a test file locks, which jsdom lacks: a tab stores pending edits and designs under its lock. With
 * locks and channels pages also follow live changes, so the channels are removed; `live/browser.ts` brings its own.
 */
export function giveLocks(): void {
  const { BroadcastChannel } = globalThis;
  // Not while the file is collected: where all its tests are left out, nothing is restored.
  beforeAll(() => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  });
  afterAll(() => {
    Reflect.deleteProperty(navigator, 'locks');
    Reflect.set(globalThis, 'BroadcastChannel', BroadcastChannel);
  });
}
