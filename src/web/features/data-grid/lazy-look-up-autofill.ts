import type { TypedLookUp } from './look-up-autofill.ts';

/** Fills cells from a typed value; if the code or the table cannot be read, only the typed value is stored. */
export const autofillTyped = (typed: TypedLookUp) =>
  import('./look-up-autofill.ts').then((code) => code.autofillTyped(typed)).catch(() => undefined);
