import * as z from 'zod/mini';
import { viewerSchema } from './workspace-answers.ts';

const change = z.object({
  /** revisionId or jrid */
  id: z.string(),
  /** who changed it */
  user: z.string(),
  at: z.string(),
});

/** The data of a `changed` event of `GET application/events` (docs/interface/decisions.md, section 8). */
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

const open = z.object({
  /** revisionId or jrid */
  id: z.string(),
  /** the other people who have it open, in the order in which they opened it */
  viewers: z.array(viewerSchema),
});

/** The data of a `viewers` event, about a record that the session itself has open. */
export const viewersEventSchema = z.union([
  z.extend(open, { archive: z.string() }),
  z.extend(open, { table: z.string() }),
]);
