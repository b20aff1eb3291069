import type { Database, Transaction } from '#server/database/database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import type { Access, Role } from '#shared/rules/rights.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { Modules } from './paths.ts';

/** The session of a request. */
export interface SignedIn {
  readonly id: string;
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** What the HTTP side asks of the modules, which know it as routes alone. */
export interface Service {
  readonly database: Database;
  readonly modules: Modules;
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  /** how long the body of a request without a valid session may take, in seconds */
  readonly anonymousBodySeconds: number;
  /** the folder of uploads, during their request */
  readonly incomingDir: string;
  findSession(db: Transaction, token: string): Promise<SignedIn | undefined>;
  findArchive(db: Transaction, key: string): Promise<Archive | undefined>;
  findTable(db: Transaction, guid: string): Promise<Table | undefined>;
  grantedAccess(
    db: Transaction,
    userId: number,
    kind: 'archive' | 'table',
    collectionId: number,
  ): Promise<Access | null>;
  /** for requests with an idempotency key */
  readonly storedAnswers: StoredAnswers;
  /** a digest from which a password cannot be guessed fast */
  slowDigest(secret: Buffer, salt: Buffer): Promise<string>;
}
