import type { Database, Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import type { Access, Role, TokenScope } from '#shared/rules/rights.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { ScanFiles } from './form.ts';
import type { Modules } from './paths.ts';
import type { Caller, Client } from './route.ts';

/** The session or token of a request. */
export interface SignedIn {
  readonly id: string;
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** whether the user must change a generated password first */
  readonly passwordChangeRequired: boolean;
  /** the id by which clients know the session */
  readonly publicId: string;
  /** the administrator whose session views the service as this user, read-only; null: the user's own session */
  readonly viewer: {
    readonly userId: number;
    readonly username: string;
    /** whether the user is disabled, so that the view is empty */
    readonly isViewOver: boolean;
  } | null;
  /** whether the user must set up a second factor first */
  readonly secondFactorEnrolmentRequired: boolean;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  /** 0: a token that was never used */
  readonly lastSeenAt: number;
  /** the limits of the token; null: a session */
  readonly scope: TokenScope | null;
}

/** What the HTTP layer needs from the modules; otherwise it depends only on their routes. */
export interface HttpServices {
  readonly database: Database;
  readonly modules: Modules;
  readonly maxBodyBytes: number;
  readonly maxFileBytes: number;
  /** time limit for the body of a request without a valid session, in seconds */
  readonly anonymousBodySeconds: number;
  readonly scanFiles: ScanFiles;
  /** the folder of uploads during their request */
  readonly incomingDir: string;
  readonly sessions: {
    /** The valid session of a cookie's token. */
    find(db: Transaction, token: string): Promise<SignedIn | undefined>;
  };
  readonly accessTokens: {
    /** The valid token of an `Authorization` header; undefined if its owner is disabled. */
    find(db: Transaction, token: string, client: Client): Promise<SignedIn | undefined>;
  };
  readonly definitions: {
    findArchive(db: Transaction, key: string): Promise<Archive | undefined>;
    findTable(db: Transaction, guid: string): Promise<Table | undefined>;
  };
  /** An archive or table without hidden fields, and the caller's right; null: the caller may not see it. */
  visibleTo<Seen extends Collection>(
    db: Transaction,
    caller: Caller,
    collection: Seen,
  ): Promise<{ readonly collection: Seen; readonly access: Access } | null>;
  /** for requests with an idempotency key */
  readonly storedAnswers: StoredAnswers;
  /** a digest that makes guessing a password slow */
  slowDigest(secret: Buffer, salt: Buffer): Promise<string>;
}
