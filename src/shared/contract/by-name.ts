import * as z from 'zod';
import { textSchema } from '../rules/text-schemas.ts';

const REFUSED_KEY = '__proto__';

/** Values by names. `z.record` would drop a key named `__proto__` without a word: here it is an unknown key. */
export function byName<Value extends z.ZodType>(valueSchema: Value) {
  return z.preprocess(
    (input, context) => {
      if (typeof input === 'object' && input !== null && Object.hasOwn(input, REFUSED_KEY)) {
        context.addIssue({ code: 'unrecognized_keys', keys: [REFUSED_KEY], input: { ...input } });
      }
      return input;
    },
    z.record(textSchema, valueSchema),
  );
}
