// Runs at the end of `npm ci` and `npm install` in a checkout, with the Node that will run it: that of the package `node`,
// or the machine's where development dependencies are left out.
import { explainOldNode } from '../bin/node-version.js';

const problem = explainOldNode();
if (problem !== null) {
  process.stderr.write(
    `${problem}Install it, or run \`npm ci\` without --omit=dev, which brings Node 24.\n`,
  );
  process.exitCode = 1;
}
