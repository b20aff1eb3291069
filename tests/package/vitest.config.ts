import { defineConfig } from 'vitest/config';

/** `npm run package:check`: packs, installs, builds an image, starts proxies. Not part of `npm test`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tests/package/*.test.ts'],
    globalSetup: ['tests/package/support/tarball.ts', 'tests/support/postgres-server.ts'],
    // Each file builds or installs something large.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
