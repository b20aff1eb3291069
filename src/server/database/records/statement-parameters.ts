import type { RawBuilder } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from './columns.ts';

const parameterSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The parameters of a statement, or of a part of one, in their order: for `Transaction.run`. */
export function parametersOf(db: Transaction, statement: RawBuilder<unknown>): ColumnValue[] {
  return statement.compile(db.k).parameters.map((value) => parameterSchema.parse(value));
}
