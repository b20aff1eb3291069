import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium, launchOptions } from '#tests/support/chromium.ts';
import { keepTemporaryFilesInMemory } from '#tests/support/temporary-folder.ts';

keepTemporaryFilesInMemory();
// Each worker starts a process for services (tests/e2e/support/service-host.ts), which all load the same files.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/compiled');

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/support/global-setup.ts',
  fullyParallel: false,
  // Tests wait for the service and for timers as well: one more at a time than there are cores.
  workers: availableParallelism() + 1,
  // Limits only end tests that fail: the machine may be several times slower, and much may run beside them. A condition
  // that is never met is reported as such, before the time of its test is over.
  timeout: 240_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Recording costs a third of the run; a failure is reported with what the page showed.
    trace: process.env['INDEXDESK_TEST_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    reducedMotion: 'reduce',
    launchOptions: launchOptions(findChromium()),
  },
});
