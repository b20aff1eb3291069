import * as z from 'zod';

/** The last file of a backup: one line of JSON about the whole, then one line per file in order. */
export const MANIFEST = 'manifest.jsonl';
/** The first file of a backup. */
export const DATABASE = 'database.sqlite';
/** The prefix of documents' files; their locations follow. */
export const FILES = 'files/';

const FORMAT = 'indexdesk backup 1';

export const manifestHeadSchema = z.object({
  format: z.literal(FORMAT),
  /** of the program that made it */
  version: z.string(),
  /** of the database in it */
  schemaVersion: z.int(),
  /** ISO 8601 */
  createdAt: z.string(),
});
export type ManifestHead = z.infer<typeof manifestHeadSchema>;

export const manifestFileSchema = z.object({
  name: z.string(),
  /** bytes */
  size: z.int(),
  sha256: z.string(),
});
export type ManifestFile = z.infer<typeof manifestFileSchema>;

/** A document's file that could not be included in the backup. */
export const manifestMissingSchema = z.object({ missing: z.string() });

export function manifestHead(head: Omit<ManifestHead, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...head })}\n`;
}
