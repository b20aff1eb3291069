/** What zod expects, in words. */
const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** A type that zod expects (`issue.expected`), as a part of a sentence. */
export function kindOf(expected: string): string {
  return KINDS[expected] ?? `of the type ${expected}`;
}

/** What a value holds at the path of an issue; undefined: nothing. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}
