import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system of its own, held in memory. */
export interface SmallDisk {
  readonly path: string;
  /** From now on it can only be read. Nothing may be open for writing there. */
  makeReadOnly(): void;
}

/** Why file systems cannot be mounted here; null: they can, by root, outside of most containers. */
export function obstacleToDisks(): string | null {
  const path = mkdtempSync(join(tmpdir(), 'indexdesk-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', path], { stdio: 'ignore' });
    execFileSync('umount', [path], { stdio: 'ignore' });
    return null;
  } catch {
    return 'no file system can be mounted: this needs root';
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** Mounts a disk of so many MiB, until the test has ended. */
export function mountDisk(mib: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'indexdesk-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', path]);
  onTestFinished(() => {
    // Lazily: what a failed test has left open must not keep it mounted.
    execFileSync('umount', ['-l', path]);
    rmSync(path, { recursive: true });
  });
  return {
    path,
    makeReadOnly: () => execFileSync('mount', ['-o', 'remount,ro', path]),
  };
}
