import { expect } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';

/** Saves another note of the only revision. */
export function patch(client: TestClient, archive: string, text: string) {
  return client.patch(`${archive}/documents/1/indexdata`, {
    indexFields: [{ name: 'NOTE', value: text }],
  });
}

/** The answer to what the database cannot do for now. */
export const refusal = (message: RegExp) => ({
  status: 503,
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  body: { code: 'unavailable', errors: { '-': [expect.stringMatching(message)] } },
});

/** An archive of one revision with a note of this text; its path. */
export async function archiveWith(database: Database, note: string): Promise<string> {
  const archive = await buildArchive(database, [{ name: 'NOTE' }]);
  await buildRecords(database, archive, [[note]]);
  return archivePath(archive);
}
