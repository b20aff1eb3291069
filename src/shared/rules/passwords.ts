/** In characters (docs/interface/decisions.md, section 2). */
export const MIN_PASSWORD_LENGTH = 10;
