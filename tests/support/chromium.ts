import { installDebianPackage, isExecutable } from './debian-package.ts';

/** Chromium without windows, which takes less of the processor; Debian's package. */
const PACKAGE = 'chromium-headless-shell';

/** Where Debian, Ubuntu, Fedora, macOS and Chrome's own packages put it. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser of the end-to-end tests: INDEXDESK_CHROMIUM, or the first of the usual places; undefined where there is none. */
export function findChromium(): string | undefined {
  const given = process.env['INDEXDESK_CHROMIUM'];
  return (given === undefined ? PLACES : [given]).find(isExecutable);
}

/**
 * Finds Chromium, or installs Debian's where this may be done.
 * @returns why the end-to-end tests cannot run, and the remedy; null: they can
 */
export function obstacleToChromium(): string | null {
  if (findChromium() !== undefined) return null;
  installDebianPackage(PACKAGE);
  if (findChromium() !== undefined) return null;
  return (
    `The end-to-end tests need Chromium. Install it (Debian, Ubuntu: sudo apt-get install ${PACKAGE}), ` +
    'or name an installed Chromium or Chrome in INDEXDESK_CHROMIUM.'
  );
}
