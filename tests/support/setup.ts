import { afterAll, vi } from 'vitest';
import { closeApps } from './app.ts';
import { WAIT_LIMIT } from './effort.ts';
import { makeHashesCheap } from './hashing-cost.ts';

// Here, as this file runs for each test file; modules run once for all files of a worker, and what they register counts for
// the first of them alone.
afterAll(closeApps);
makeHashesCheap();

// Vitest has no setting for this default. Files that share modules wrap it once more, which changes nothing.
const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_LIMIT, ...options });
