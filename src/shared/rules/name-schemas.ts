import * as texts from '#messages/definitions.ts';
import * as z from 'zod';
import { NAME_PATTERN, nameKey } from './names.ts';

/**
 * Names of archives' tables, index fields, keyword fields, tables and columns: unique and matched ignoring
 * case, answered in the spelling of the definition (docs/interface/decisions.md, section 1).
 */
export const nameSchema = z.string().regex(NAME_PATTERN, texts.nameInvalid);

/** GUIDs are matched ignoring case. */
export const guidSchema = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, texts.guidInvalid);

/** Adds errors about the properties of an object as issues. */
export const addProblemTo = (context: z.RefinementCtx) => (message: string, key: string) =>
  context.addIssue({ code: 'custom', message, path: [key] });

/** Adds an issue at each name that an earlier field has, ignoring case. */
export function requireUniqueNames(fields: readonly { name: string }[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  fields.forEach(({ name }, index) => {
    if (seen.has(nameKey(name))) {
      context.addIssue({
        code: 'custom',
        message: texts.nameTwice(name),
        path: [index, 'name'],
      });
    }
    seen.add(nameKey(name));
  });
}
