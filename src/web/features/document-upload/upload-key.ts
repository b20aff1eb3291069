import { hashText } from '#shared/values/hash-text.ts';
import { readStoredJson, storeText } from '#web/api/browser-storage.ts';

/** The key of a file among all that a user loads into an archive: its name, size and modification time. */
export function fileKey({ name, size, lastModified }: File): string {
  return `${hashText(name, 1).toString(36)}-${size.toString(36)}-${lastModified.toString(36)}`;
}

/**
 * The idempotency key of the call that stores a file in an archive, whatever its index data: a file whose upload was interrupted
 * is not stored twice, also after the page was left.
 * @param guid of the archive: another archive may have had its name before
 */
export function uploadKey(guid: string, key: string): string {
  return `upload-${guid}-${key}`;
}

const storageKey = (username: string, guid: string) => `indexdesk.uploads.${username}.${guid}`;

/** The keys of the files that this browser has stored in an archive. @param guid of the archive */
export function readStored(username: string, guid: string): Set<string> {
  const read = readStoredJson(storageKey(username, guid));
  return new Set(Array.isArray(read) ? read.map(String) : []);
}

/** How many are remembered, newest first; for older ones the service recognises the call that stored them for 14 days. */
const MAX_REMEMBERED = 50_000;

export function rememberStored(username: string, guid: string, keys: ReadonlySet<string>): void {
  const newest = [...keys].slice(-MAX_REMEMBERED);
  // Without storage the idempotency keys prevent storing documents twice.
  storeText(storageKey(username, guid), JSON.stringify(newest));
}
