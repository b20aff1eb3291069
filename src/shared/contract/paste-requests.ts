import * as requestsTexts from '#messages/requests.ts';
import * as z from 'zod';
import { JsonNumber } from '../values/json.ts';
import { givenNotationShape } from './common-schemas.ts';
import { jridSchema } from './requests.ts';

const MAX_PASTED_ROWS = 200_000;

const cellSchema = z
  .custom<string | JsonNumber | boolean | null>(
    (value) =>
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      value instanceof JsonNumber,
    requestsTexts.notACell,
  )
  .meta({
    description: 'null or an empty text: no value',
    type: ['string', 'number', 'boolean', 'null'],
  });

/** Body of POST of a paste into a data table. */
export const pasteBody = z.strictObject({
  /** the columns of the cells, with how the texts in them are written */
  columns: z
    .array(
      z.strictObject({
        field: z.string(),
        ...givenNotationShape,
      }),
    )
    .min(1, requestsTexts.noColumn),
  datasets: z
    .array(
      z.strictObject({
        jrid: jridSchema.nullable().default(null),
        ifMatch: z.string().nullable().default(null),
        cells: z.array(cellSchema),
      }),
    )
    .min(1, requestsTexts.noRow)
    .max(MAX_PASTED_ROWS),
});
export type PasteBody = z.infer<typeof pasteBody>;
