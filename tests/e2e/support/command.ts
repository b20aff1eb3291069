import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url));

/**
 * Runs a command of Indexdesk to its end.
 * @throws {Error} with what it said where it fails
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [MAIN, ...args], { maxBuffer: 64 * 1024 * 1024 });
}
