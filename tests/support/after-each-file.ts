import { afterAll } from 'vitest';
import { closeApps } from './app.ts';

// Here, as this file runs for each test file; modules run once for all files of a worker, and what they register counts for
// the first of them alone.
afterAll(closeApps);
