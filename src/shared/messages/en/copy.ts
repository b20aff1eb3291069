/** The button that copies a text. */
export const copy = 'Copy';
export const copied = 'Copied';
export const notCopied = 'The browser did not allow copying. Select the text and copy it yourself.';
