/** A character that can separate the cells of a CSV line: no quotation mark. */
export const SEPARATOR = /^[^"\r\n]$/u;

/** Whether the Encoding Standard defines the name. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
