import * as z from 'zod';

/** The keys that an object with unknown keys may have, by commas; empty: the issue is of something else. */
export function knownKeysOf({ code, inst }: z.core.$ZodRawIssue): string {
  const isOfObject = code === 'unrecognized_keys' && inst instanceof z.core.$ZodObject;
  return isOfObject ? Object.keys(inst._zod.def.shape).join(', ') : '';
}

/** The value at the path of an issue; undefined: none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}
