import * as z from 'zod/mini';
import { DATE_ORDERS, DECIMAL_MARKS } from '../values/value-type.ts';

/** An instant in an answer, ISO 8601 in UTC. */
export const instantSchema = z.string();

/** How numbers and dates are written; null: it is not known. */
export const notationShape = {
  decimal: z.nullable(z.enum(DECIMAL_MARKS)),
  order: z.nullable(z.enum(DATE_ORDERS)),
};

/** `notationShape` in a request, where what is left out is null. */
export const givenNotationShape = {
  decimal: z._default(notationShape.decimal, null),
  order: z._default(notationShape.order, null),
};
