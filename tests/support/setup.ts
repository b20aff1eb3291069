import { afterAll, vi } from 'vitest';
import { WAIT_LIMIT } from './effort.ts';
import { closeApps } from './open-apps.ts';

// Here, as this file runs for each test file; modules run once for all files of a worker, and what they register counts for
// the first of them alone. It does not import the service, which many tests do not need.
afterAll(closeApps);

// Vitest has no setting for this default. Files that share modules wrap it once more, which changes nothing.
const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_LIMIT, ...options });
