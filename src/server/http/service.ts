import type { Database, Transaction } from '#server/database/database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import type { Access, Role, TokenScope } from '#shared/rules/rights.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { Modules } from './paths.ts';
import type { Caller, Client } from './route.ts';

/** The session or token of a request. */
export interface SignedIn {
  readonly id: string;
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  /** whether the user first has to change a generated password */
  readonly passwordChangeRequired: boolean;
  /** the id under which clients know the session */
  readonly publicId: string;
  /** the administrator whose session sees as the user, and changes nothing; null: it is the user's own */
  readonly viewer: {
    readonly userId: number;
    readonly username: string;
    /** whether the user is disabled, and so sees nothing */
    readonly isViewOver: boolean;
  } | null;
  /** whether the user first has to set up a second factor */
  readonly secondFactorEnrolmentRequired: boolean;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  /** 0: a token that has never been used */
  readonly lastSeenAt: number;
  /** what the token may do at most; null: it is a session */
  readonly scope: TokenScope | null;
}

/** An archive or table as a caller sees it, with the caller's right. */
interface Seen<Kind> {
  readonly collection: Kind;
  readonly access: Access;
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
  /** The valid token of an `Authorization` header, unless its owner is disabled. */
  findToken(db: Transaction, token: string, client: Client): Promise<SignedIn | undefined>;
  findArchive(db: Transaction, key: string): Promise<Archive | undefined>;
  findTable(db: Transaction, guid: string): Promise<Table | undefined>;
  /** the archive as the caller sees it, without hidden fields; null: it does not exist for the caller */
  visibleArchive(db: Transaction, caller: Caller, archive: Archive): Promise<Seen<Archive> | null>;
  /** the same for a table */
  visibleTable(db: Transaction, caller: Caller, table: Table): Promise<Seen<Table> | null>;
  /** for requests with an idempotency key */
  readonly storedAnswers: StoredAnswers;
  /** a digest from which a password cannot be guessed fast */
  slowDigest(secret: Buffer, salt: Buffer): Promise<string>;
}
