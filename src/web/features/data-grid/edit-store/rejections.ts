import type { ApiFailure } from '#web/api/failure.ts';

const ERROR_PATH = /^datasets\.(\d+)(?:\.(.+))?$/s;

/** Why the service rejected one record of a batch. */
export interface Rejection {
  /** messages by column */
  readonly cells: Readonly<Record<string, string>>;
  /** the message that belongs to no column; null: there is none */
  readonly row: string | null;
}

/** The errors of a rejected batch by the positions of its entries, from 0; empty if it names none. */
export function rejectionsIn(failure: ApiFailure): ReadonlyMap<number, Rejection> {
  const found = new Map<number, Rejection>();
  if (failure.kind !== 'api') return found;
  for (const [path, messages] of Object.entries(failure.errors)) {
    const [, number, column] = ERROR_PATH.exec(path) ?? [];
    if (number === undefined) continue;
    const { cells, row } = found.get(Number(number)) ?? { cells: {}, row: null };
    const message = messages.join(' ');
    found.set(
      Number(number),
      column === undefined
        ? { cells, row: row === null ? message : `${row} ${message}` }
        : { cells: { ...cells, [column]: message }, row },
    );
  }
  return found;
}
