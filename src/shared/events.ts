import * as z from 'zod/mini';

const change = z.object({
  /** revisionId or jrid */
  id: z.string(),
  /** who changed it */
  user: z.string(),
  at: z.string(),
});

/** What a `changed` event of `GET application/events` says (interface decisions, section 8). */
export const changedEventSchema = z.union([
  z.extend(change, {
    /** the archive's table name */
    archive: z.string(),
  }),
  z.extend(change, {
    /** the table's GUID */
    table: z.string(),
  }),
]);
export type ChangedEvent = z.infer<typeof changedEventSchema>;
