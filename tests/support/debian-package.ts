import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/**
 * Installs a package of Debian where this may be done: on Debian or Ubuntu, as root.
 * @returns whether it was tried
 */
export function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return false;
  console.error(`Installing the package ${name} of Debian …`);
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // Test files run at the same time, and apt-get does not wait for another.
  const apt = (...args: string[]) =>
    execFileSync('flock', ['/usr/bin/apt-get', 'apt-get', ...args], options);
  apt('update');
  apt('install', '--yes', '--no-install-recommends', name);
  return true;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
