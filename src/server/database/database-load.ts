/** How busy a process's access to its database is. */
export interface DatabaseLoad {
  /** waiting writes: on SQLite for the single writer, on PostgreSQL for a connection */
  readonly waitingWrites: number;
  /** how long the first in the queue has waited, in milliseconds */
  readonly longestWait: number;
  /** the writes that have started since the process started, and the total time that they waited, in milliseconds */
  readonly writes: { readonly count: number; readonly waitedMs: number };
  readonly connections: {
    readonly max: number;
    readonly open: number;
    readonly idle: number;
    /** reads and writes that wait for a connection */
    readonly waiting: number;
  };
}
