// Plain JavaScript that old versions of Node read too.
import { readFileSync } from 'node:fs';

/** What to do where this Node is older than `engines` in package.json allows, in one line; null where it is not. */
export function explainOldNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  const version = process.versions.node;
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Indexdesk needs Node ${oldest} or newer; this is Node ${version}. `;
}
