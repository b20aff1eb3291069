#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 node --max-semi-space-size=8
// Plain JavaScript that old versions of Node read too, so that they get a sentence instead of a syntax error.
// The first line bounds memory: docs/decisions/0018-memory.md.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { explainOldNode } from './node-version.js';

/**
 * Starts this process again as the first line would, where it was started by another command, such as
 * `node bin/indexdesk.js`. What that command sets itself stays.
 */
function limitMemory() {
  const { env, execArgv, execPath } = process;
  const limits = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' };
  const flags = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ');
  const isSet =
    Object.keys(limits).every((name) => env[name] !== undefined) &&
    flags.includes('--max-semi-space-size');
  // Windows cannot replace a process, and has another allocator.
  if (isSet || !process.execve || process.platform === 'win32') return;
  const own = flags.includes('--max-semi-space-size') ? [] : ['--max-semi-space-size=8'];
  const args = [execPath, ...own, ...execArgv, ...process.argv.slice(1)];
  process.execve(execPath, args, { ...limits, ...env });
}

const problem = explainOldNode();
if (problem !== null) {
  process.stderr.write(
    `${problem}In a checkout, \`npm start\` and \`npm run -s indexdesk -- …\` bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  if (process.argv[2] === 'serve') {
    limitMemory();
    // Until the service listens, room for new objects stays small: what its start makes is kept anyway.
    setFlagsFromString('--semi-space-growth-factor=1');
  }
  // A checkout runs from its sources; what is installed was compiled, as Node strips no types there.
  const sources = new URL('../src/server/main.ts', import.meta.url);
  const checkout = existsSync(sources);
  // What V8 and the stripping of types made of the sources is kept for the next start. Not for what is installed: who
  // runs that need not be who may write there, and a directory that others may write to must not hold code.
  if (checkout)
    module.enableCompileCache(
      fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
    );
  await import(checkout ? sources.href : new URL('../dist/server/main.js', import.meta.url).href);
}
