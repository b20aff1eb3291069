import type { Table } from '#server/database/records/collection.ts';
import { ApiError, type ErrorMessages } from '#shared/errors.ts';
import { parseListQuery, type ListPart, type ListQuery } from '#shared/lists.ts';
import { findByName } from '#shared/names.ts';

type Column = Table['fields'][number];

/** The query of a call that takes filters of a list and parameters of its own; all its errors are told together. */
export class OwnQuery<Name extends string> {
  readonly #errors: ErrorMessages;
  readonly #own = new Map<string, string>();
  readonly #table: Table;
  readonly list: ListQuery | null;

  constructor(
    table: Table,
    query: readonly (readonly [string, string])[],
    names: readonly Name[],
    allowed: readonly ListPart[],
  ) {
    this.#table = table;
    const isOwn = ([given]: readonly [string, string]) => names.some((name) => name === given);
    const parsed = parseListQuery(
      query.filter((pair) => !isOwn(pair)),
      table.listColumns,
      allowed,
      table.limits,
    );
    this.list = parsed.ok ? parsed.query : null;
    // Without a prototype: a sender may name a parameter `constructor` or `__proto__`.
    this.#errors = parsed.ok ? Object.create(null) : parsed.errors;
    for (const [name, value] of query.filter(isOwn)) {
      if (this.#own.has(name)) this.complain(name, 'This parameter may be given only once.');
      else if (value.includes('\u0000'))
        this.complain(name, 'The NUL character cannot be looked for.');
      this.#own.set(name, value);
    }
  }

  complain(parameter: string, message: string): void {
    (this.#errors[parameter] ??= []).push(message);
  }

  get(name: Name): string | undefined {
    return this.#own.get(name);
  }

  /** Reads names of columns, separated by commas; each at most once. */
  columns(name: Name): Column[] {
    const text = this.get(name);
    if (text === undefined || text === '') return [];
    return namedColumns(this.#table, text.split(','), (message) => this.complain(name, message));
  }

  /** Reads a whole number. */
  whole(name: Name, initial: number, min: number, max: number): number {
    const text = this.get(name);
    if (text === undefined) return initial;
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : -1;
    if (number >= min && number <= max) return number;
    this.complain(name, `This must be a whole number from ${min} to ${max}.`);
    return initial;
  }

  /** @throws {ApiError} 400 with all errors */
  filter(): ListQuery {
    if (!this.list || Object.keys(this.#errors).length > 0) {
      throw new ApiError('malformed', this.#errors);
    }
    return this.list;
  }
}

/** Finds columns by their names. */
export function namedColumns(
  table: Table,
  names: readonly string[],
  complain: (message: string) => void,
): Column[] {
  const columns: Column[] = [];
  for (const name of names) {
    const column = findByName(table.fields, name);
    if (!column) complain(`There is no column ${name.toWellFormed().slice(0, 100)}.`);
    else if (columns.includes(column)) complain(`${name} is named twice.`);
    else columns.push(column);
  }
  return columns;
}
