import { defineConfig } from '@playwright/test';
import { findChromium } from '#tests/support/chromium.ts';
import { keepTemporaryFilesInMemory } from '#tests/support/temporary-folder.ts';

keepTemporaryFilesInMemory();

const executablePath = findChromium();

/**
 * Each window would load two pages for what drops down from Chromium's own address bar, though nobody sees one: two
 * thirds of what an empty window costs. Chromium heeds only the last list of such features, so those that Playwright
 * turns off (its chromiumSwitches.ts) and that could matter here stand in it as well.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/support/global-setup.ts',
  fullyParallel: false,
  workers: 2,
  timeout: 90_000,
  // A condition that does not come is told as such, before the test's own time is over.
  expect: { timeout: 15_000, toPass: { timeout: 30_000 } },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    actionTimeout: 15_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Recording costs a third of the run; a failure is told with what the page showed.
    trace: process.env['INDEXDESK_TEST_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    reducedMotion: 'reduce',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        `--disable-features=${WITHOUT.join(',')}`,
      ],
    },
  },
});
