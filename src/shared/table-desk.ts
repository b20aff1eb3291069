import * as z from 'zod';

/* What the grid of a data table asks about all records that match, beside the list itself. */

export const positionAnswer = z.object({
  /** the dataset's row in the list, from 0; null: it is not among those that match */
  position: z.number().nullable(),
});
