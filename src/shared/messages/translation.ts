import type { Message, MessageEntry } from './message.ts';

/**
 * The type of a subject of the catalogue in another language: the same names, with the same arguments. In
 * `messages/de/index.ts`, the compiler reports what is missing in a translation:
 * import type * as english from '../en/grid.ts';
 * import * as grid from './grid.ts';
 * grid satisfies Translation<typeof english>;
 */
export type Translation<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends Message
      ? Message
      : Texts[Name] extends MessageEntry<infer Params>
        ? MessageEntry<Params>
        : Texts[Name] extends (...args: infer Args) => infer Result
          ? (...args: Args) => Result
          : Translation<Texts[Name]>;
};
