import { installDebianPackage, isExecutable } from './debian-package.ts';

/** Chromium without windows, which takes a fifth less time; Debian's package. */
const SHELL = { name: 'chromium-headless-shell', places: ['/usr/bin/chromium-headless-shell'] };

/** Chromium as people use it; where Debian, Ubuntu, Fedora, macOS and Chrome's own packages put it. */
const WHOLE = {
  name: 'chromium',
  places: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
};

function find(places: readonly string[]): string | undefined {
  const given = process.env['INDEXDESK_CHROMIUM'];
  return (given === undefined ? places : [given]).find(isExecutable);
}

/** The browser of the end-to-end tests: INDEXDESK_CHROMIUM, or the first of the usual places; undefined where there is none. */
export function findChromium(): string | undefined {
  return find([...SHELL.places, ...WHOLE.places]);
}

/** Chromium with all that its windows do beside showing pages, such as connecting ahead. */
export function findWholeChromium(): string | undefined {
  return find(WHOLE.places);
}

/**
 * Finds Chromium, or installs Debian's where this may be done.
 * @returns why the end-to-end tests cannot run, and the remedy; null: they can
 */
export function obstacleToChromium(): string | null {
  if (findChromium() === undefined) installDebianPackage(SHELL.name);
  if (findChromium() !== undefined) return null;
  return `The end-to-end tests need Chromium. ${remedy(SHELL.name)}`;
}

/** As obstacleToChromium, for the tests that need all of Chromium. */
export function obstacleToWholeChromium(): string | null {
  if (findWholeChromium() === undefined) installDebianPackage(WHOLE.name);
  if (findWholeChromium() !== undefined) return null;
  return `A test of connections needs Chromium with windows. ${remedy(WHOLE.name)}`;
}

const remedy = (name: string) =>
  `Install it (Debian: sudo apt-get install ${name}), or name an installed Chromium or Chrome in INDEXDESK_CHROMIUM.`;

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

/** How Playwright starts a Chromium. */
export function launchOptions(executablePath: string | undefined) {
  return {
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
  };
}
