import { type CollectionKind, keywordFieldName } from '#shared/rules/names.ts';
import { EXCEPTION_PREFIX } from '#server/database/records/check-exceptions.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { hashEntry, readChanges, type ChainedEntry } from '../history/history.service.ts';

/* A purge removes changes from entries of the history. Each such entry keeps the SHA-256 by which the chain refers
   to it, and the entry of the purge has a digest of the remaining entries, so that other alterations are detected
   (docs/history.md). */

/** The name of the change with which the entry of a purge describes it. */
export const PURGE_CHANGE = 'purge';

/**
 * In `fields` of a purge: exceptions from checks whose entries do not say which fields they are about, as those of older
 * versions. Each may be about the purged field.
 */
export const UNKNOWN_FIELD = 0;

const purgeSchema = z.object({
  /** the name of the purged object: an archive's name, a table's GUID, a field's name; null: all fields */
  archive: z.optional(z.string()),
  table: z.optional(z.string()),
  name: z.string(),
  field: z.nullable(z.string()),
  /** the names in the history whose changes are removed; null: all */
  names: z.nullable(z.array(z.string())),
  /** the numbers of the fields: exceptions from checks about them are removed too; of purges of older versions none */
  fields: z.array(z.number()).default([]),
  /** the newest entry that may have been purged */
  upTo: z.number(),
  /** how many entries of the archive or table have no changes or fewer afterwards, by this or an earlier purge */
  entries: z.number(),
  /** the digest of those entries afterwards (`PurgeDigest`) */
  sha256: z.string(),
});
export type PurgeDescription = z.infer<typeof purgeSchema>;

/** A purge, as described by its entry of the history. */
export interface Purge extends PurgeDescription {
  /** the entry */
  readonly id: number;
  readonly kind: CollectionKind;
  readonly collectionId: number;
}

/** @returns null if the change describes no purge */
export function readPurge(after: unknown): PurgeDescription | null {
  const read = purgeSchema.safeParse(after);
  return read.success ? read.data : null;
}

/** The entries from which a purge removes changes. */
export type PurgeScope = Pick<Purge, 'names' | 'fields' | 'upTo'>;

/** The changes of an entry that remain after purges, as JSON; the same text if they remove nothing. */
export function remainingChanges(
  { id, changes }: Pick<ChainedEntry, 'id' | 'changes'>,
  purges: readonly PurgeScope[],
): string {
  let left = changes;
  for (const { names, fields, upTo } of purges) {
    if (id > upTo) continue;
    if (names === null) return '[]';
    const mayContain = (text: string) => left.includes(text);
    const isNamed = names.some((name) => mayContain(JSON.stringify(name)));
    if (!isNamed && !(fields.length > 0 && mayContain(`"${EXCEPTION_PREFIX}`))) continue;
    const all = readChanges(left);
    // The reason of an exception may quote the value.
    const others = all.filter(
      ({ name, fields: about = unknownFieldsOf(name) }) =>
        !names.includes(name) && !about.some((number) => fields.includes(number)),
    );
    if (others.length < all.length) left = JSON.stringify(others);
  }
  return left;
}

function unknownFieldsOf(change: string): readonly number[] {
  return change.startsWith(EXCEPTION_PREFIX) ? [UNKNOWN_FIELD] : [];
}

/**
 * Whether a purge explains that an entry has no changes or fewer: the entry is older, and has no changes that the purge
 * removes.
 */
export function isCovered(entry: ChainedEntry, purges: readonly PurgeScope[]): boolean {
  return purges.some(
    (purge) => entry.id <= purge.upTo && remainingChanges(entry, [purge]) === entry.changes,
  );
}

/** The names in the history of a field whose values are purged. */
export function historyNamesOf(
  fields: readonly { readonly historyName: string }[],
  keywordFields: readonly { readonly historyName: string }[],
): string[] {
  return [
    ...fields.map(({ historyName }) => historyName),
    ...keywordFields.map(({ historyName }) => keywordFieldName(historyName)),
  ];
}

/**
 * Digest of the purged entries of an archive or table: SHA-256 of the hashes of the entries after purges, in the order
 * of their records and ids. It is the same before, during and after the removal of their changes.
 */
export class PurgeDigest {
  readonly #purges: readonly PurgeScope[];
  readonly #hash = createHash('sha256');
  #entries = 0;

  constructor(purges: readonly PurgeScope[]) {
    this.#purges = purges;
  }

  add(entry: ChainedEntry): void {
    const changes = remainingChanges(entry, this.#purges);
    if (entry.sha256 === null && changes === entry.changes) return;
    this.#entries += 1;
    this.#hash.update(hashEntry({ ...entry, changes }));
  }

  /** The digest; nothing can be added after it. */
  end(): Pick<Purge, 'entries' | 'sha256'> {
    return { entries: this.#entries, sha256: this.#hash.digest('hex') };
  }
}
