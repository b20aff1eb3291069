/*
 * Loaded before the service by the test of the order of syncs: files and directories are never synced by
 * the service itself. The test has to notice.
 */
import { open } from 'node:fs/promises';

const handle = await open(import.meta.filename);
const prototype: { sync(): Promise<void> } = Object.getPrototypeOf(handle);
await handle.close();
prototype.sync = () => Promise.resolve();
