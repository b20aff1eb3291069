/** Whether a text can separate the cells of a CSV line: one character, no quotation mark. */
export function isSeparator(text: string): boolean {
  return /^[^"\r\n]$/u.test(text);
}

/** Whether the Encoding Standard defines the name. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
