import type { Scalar } from '#shared/values/value-type.ts';

/** A lock on a revision; it lasts as long as the holder's session (docs/interface/decisions.md, section 6). */
export interface Lock {
  readonly by: string;
  /** milliseconds since 1970 UTC */
  readonly at: number;
  readonly sessionId: string;
}

/** The parts of a revision that other records do not have. */
export interface DocumentPart {
  readonly documentId: number;
  readonly revision: number;
  readonly lock: Lock | null;
}

/** A record of an archive or table as the service uses it. */
export interface StoredRecord {
  readonly id: number;
  /** 1 when created, increased by one with each change; never repeated for an id, even after deletion and restoration */
  readonly version: number;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  readonly changedAt: number;
  readonly changedBy: string;
  /** in the order of the definition's fields */
  readonly values: readonly Scalar[];
  /** the values of each keyword field, in the order of the definition's keyword fields */
  readonly keywords: readonly (readonly string[])[];
  /** null for records of tables */
  readonly document: DocumentPart | null;
}

/** A record to be stored for the first time. */
export interface NewRecord {
  /** null: the next id */
  readonly id: number | null;
  /** 1, except for a record that is restored after its deletion */
  readonly version: number;
  readonly values: readonly Scalar[];
  readonly keywords: readonly (readonly string[])[];
  /** a revision's document; `documentId` null: its own document, named by the revision's id */
  readonly document: { readonly documentId: number | null; readonly revision: number } | null;
}
