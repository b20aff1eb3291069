/** The button that copies a text. */
export const copy = 'Copy';
export const copied = 'Copied';
export const notCopied =
  'The browser did not allow the text to be copied. Select it and copy it yourself.';
