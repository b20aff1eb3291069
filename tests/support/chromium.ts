import { installDebianPackage, isExecutable } from './debian-package.ts';

/** Where Debian, Ubuntu, Fedora, macOS and Chrome's own packages put it. */
const PLACES = [
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
 * @throws {Error} saying how to install it
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  installDebianPackage('chromium');
  const installed = findChromium();
  if (installed === undefined) {
    throw new Error(
      'The end-to-end tests need Chromium. Install it (Debian, Ubuntu: sudo apt-get install chromium), ' +
        'or name an installed Chromium or Chrome in INDEXDESK_CHROMIUM.',
    );
  }
  return installed;
}

if (import.meta.main) {
  try {
    console.error(`Chromium: ${ensureChromium()}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
