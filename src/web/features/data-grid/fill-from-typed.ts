import type { TypedChoice } from './typed-choice.ts';

/** Fills cells from a typed value; if the code or the table cannot be read, only the typed value is stored. */
export const fillFromTyped = (typed: TypedChoice) =>
  import('./typed-choice.ts').then((code) => code.fillFromTyped(typed)).catch(() => undefined);
