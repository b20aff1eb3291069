// Runs inside the first stage of the Containerfile: removes from installed packages what a running service never reads.
// Licences stay.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [root = ''] = process.argv.slice(2);
const FOLDERS = /^(?:\.github|\.vscode|__tests__|benchmarks?|examples?|tests?)$/;
const FILES = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown|flow)$/;
const LICENCES = /^(?:licen[cs]e|copying|notice|readme)/i;

let removed = 0;
for (const entry of readdirSync(join(root, 'node_modules'), {
  recursive: true,
  withFileTypes: true,
})) {
  const unneeded = entry.isDirectory()
    ? FOLDERS.test(entry.name)
    : FILES.test(entry.name) && !LICENCES.test(entry.name);
  if (!unneeded) continue;
  rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  removed += 1;
}
process.stdout.write(`Removed ${removed} files and folders.\n`);
