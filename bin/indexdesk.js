#!/usr/bin/env node
// Plain JavaScript that old versions of Node read too, so that they get a sentence instead of a syntax error.
import { existsSync } from 'node:fs';

const OLDEST = 24;
const version = process.versions.node;

if (Number(version.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `Indexdesk needs Node ${OLDEST} or newer; this is Node ${version}. In a checkout, \`npm start\` and \`npm run -s indexdesk -- …\` bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  // A checkout runs from its sources; what is installed was compiled, as Node strips no types there.
  const sources = new URL('../src/server/main.ts', import.meta.url);
  await import(
    existsSync(sources) ? sources.href : new URL('../dist/server/main.js', import.meta.url).href
  );
}
