/**
 * A text for display within a sentence or a cell: at most so many characters, then an ellipsis.
 * @param maxLength in UTF-16 code units, without the ellipsis; halves of characters are replaced
 */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength
    ? `${text.slice(0, maxLength).toWellFormed()}…`
    : text.toWellFormed();
}
