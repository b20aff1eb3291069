import * as z from 'zod/mini';

/** The locks of revisions, for administrators (docs/interface/administration.md, section 2). */
export const locksAnswer = z.object({
  locks: z.array(
    z.object({
      /** the table name */
      archive: z.string(),
      revisionId: z.string(),
      documentId: z.string(),
      by: z.string(),
      /** since when, ISO 8601 in UTC */
      at: z.string(),
      /** the session with which the lock ends */
      sessionId: z.string(),
    }),
  ),
});
export type LocksAnswer = z.infer<typeof locksAnswer>;
