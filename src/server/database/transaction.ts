import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type ConnectionProvider,
  type Dialect,
  type KyselyProps,
} from 'kysely';
import type { CachedStatement, Transaction } from './database.ts';
import type { ColumnValue } from './records/columns.ts';
import type { ListReader } from './records/list-reader.ts';
import type { SystemSchema } from './schema.ts';

/** How the two adapters run the statements of one transaction. Kysely's statements get the connection in turn. */
export interface StatementRunner extends ConnectionProvider {
  /** Runs a statement, at once if nothing has to be awaited. @returns its rows as the values of their columns */
  rows(text: string, parameters: readonly ColumnValue[]): unknown[][] | Promise<unknown[][]>;
  /** `Transaction.send`, at once if nothing has to be awaited */
  send(text: string, parameters: readonly ColumnValue[]): Promise<unknown> | undefined;
}

/** The settings of all transactions on a database. */
export interface TransactionSettings
  extends Pick<Transaction, 'adapter'>, Partial<Pick<Transaction, 'runInReadWorker'>> {
  readonly kysely: KyselyParts;
  /** `Transaction.notify`; missing if only reads are possible */
  readonly notify?: (db: Transaction, payload: string) => Promise<void>;
  readonly createLists: (db: Transaction) => ListReader;
}

type Executor = ConstructorParameters<typeof DefaultQueryExecutor>;

/** What Kysely needs besides the connection, which each transaction provides; and the compiled texts. */
interface KyselyParts {
  readonly dialect: Dialect;
  readonly compiler: Executor[0];
  readonly adapter: Executor[1];
  readonly compiledTexts: WeakMap<object, Map<string, string>>;
}

export function kyselyParts(dialect: Dialect): KyselyParts {
  return {
    dialect,
    compiler: dialect.createQueryCompiler(),
    adapter: dialect.createAdapter(),
    compiledTexts: new WeakMap(),
  };
}

const NO_DRIVER = new DummyDriver();
/** Limit of compiled statements per owner, beyond which all are discarded: batches of many sizes have many. */
const MAX_TEXTS = 1_000;

/** A transaction on either database. Most writes of one record do not need Kysely, which is created on demand. */
export class StatementTransaction implements Transaction {
  readonly adapter: Transaction['adapter'];
  readonly isWrite: boolean;
  readonly startedAt = performance.now();
  readonly runInReadWorker: Transaction['runInReadWorker'];
  readonly #runner: StatementRunner;
  readonly #settings: TransactionSettings;
  #k: Kysely<SystemSchema> | undefined;
  #lists: ListReader | undefined;

  constructor(runner: StatementRunner, settings: TransactionSettings) {
    const { adapter, runInReadWorker = null } = settings;
    this.#runner = runner;
    this.#settings = settings;
    this.adapter = adapter;
    this.isWrite = settings.notify !== undefined;
    this.runInReadWorker = runInReadWorker;
  }

  get k(): Kysely<SystemSchema> {
    this.#k ??= new Kysely<SystemSchema>(this.#props());
    return this.#k;
  }

  async run(statement: CachedStatement, parameters: readonly ColumnValue[]): Promise<unknown[][]> {
    return this.#runner.rows(this.#textOf(statement), parameters);
  }

  async send(statement: CachedStatement, parameters: readonly ColumnValue[]): Promise<void> {
    const sent = this.#runner.send(this.#textOf(statement), parameters);
    if (sent) await sent;
  }

  async notify(payload: string): Promise<void> {
    const { notify } = this.#settings;
    if (!notify) throw new Error('Notifications are sent by writes.');
    await notify(this, payload);
  }

  #textOf({ owner, name, build }: CachedStatement): string {
    const { compiledTexts } = this.#settings.kysely;
    let ofOwner = compiledTexts.get(owner);
    if (!ofOwner) compiledTexts.set(owner, (ofOwner = new Map<string, string>()));
    let text = ofOwner.get(name);
    if (text === undefined) {
      text = build().compile(this.k).sql;
      if (ofOwner.size >= MAX_TEXTS) ofOwner.clear();
      ofOwner.set(name, text);
    }
    return text;
  }

  get lists(): ListReader {
    this.#lists ??= this.#settings.createLists(this);
    return this.#lists;
  }

  #props(): KyselyProps {
    const { dialect, compiler, adapter } = this.#settings.kysely;
    const executor = new DefaultQueryExecutor(compiler, adapter, this.#runner);
    return { config: { dialect }, dialect, driver: NO_DRIVER, executor };
  }
}
