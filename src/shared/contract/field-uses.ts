import * as z from 'zod/mini';

/** What refers to a field (docs/interface/administration.md, section 1). */
const fieldUseSchema = z.object({
  /** `user` and `group`: a right that names the field */
  kind: z.enum(['view', 'queue', 'check', 'look-up', 'user', 'group']),
  name: z.string(),
  /**
   * of a view or queue its owner (null: it came with the content); of a check or look-up the archive or table, null:
   * the same one
   */
  of: z.nullable(z.string()),
});
export type FieldUse = z.infer<typeof fieldUseSchema>;

export const fieldUsesAnswer = z.object({ uses: z.array(fieldUseSchema) });
