import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const INDEXDESK = fileURLToPath(new URL('../../../bin/indexdesk.js', import.meta.url));

/**
 * Runs a command of Indexdesk to its end.
 * @throws {Error} with what it said where it fails
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  await promisify(execFile)(INDEXDESK, [...args], { maxBuffer: 64 * 1024 * 1024 });
}
