/** Whether a text separates the cells of a line of CSV: one character, no quotation mark. */
export function isSeparator(text: string): boolean {
  return /^[^"\r\n]$/u.test(text);
}

/** Whether the Encoding Standard knows the name. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
