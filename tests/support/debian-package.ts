import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/**
 * Installs a package of Debian where this may be done: on Debian or Ubuntu, as root.
 * Says on standard error where it does not succeed.
 */
export function installDebianPackage(name: string): void {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return;
  console.error(`Installing the package ${name} of Debian …`);
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // Test files run at the same time, and apt-get does not wait for another.
  const apt = (...args: string[]) =>
    execFileSync('flock', ['/usr/bin/apt-get', 'apt-get', ...args], options);
  try {
    apt('update');
    apt('install', '--yes', '--no-install-recommends', name);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
