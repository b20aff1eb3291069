/* Texts that spreadsheet programs would run or rewrite as formulas (OWASP, "CSV Injection"). */

const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** Puts an apostrophe before a text that would be a formula; `restoreFormula` removes it. Every text is restored exactly. */
export function neutraliseFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * As `neutraliseFormula`, and at each place where a cell begins for a program that takes another separator than the file has:
 * it splits `a;=1` in a file with commas, ends rows within quotes, and takes `""=1` for a cell of `=1`.
 */
export function neutraliseCsv(text: string): string {
  return text.replaceAll(FORMULA_OF_CELL, "'");
}

/** Undoes `neutraliseFormula`. */
export function restoreFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Undoes `neutraliseCsv`. */
export function restoreCsv(text: string): string {
  const restored = text.replaceAll(NEUTRALISED_CELL, '');
  // Not from neutraliseCsv where it would have put more apostrophes; then at most the beginning was neutralised.
  return neutraliseCsv(restored) === text ? restored : restoreFormula(text);
}

const FORMULA_OF_CELL = placesOfFormulas('');
const NEUTRALISED_CELL = placesOfFormulas("'");

/** The beginnings of cells that are formulas, whatever separates cells. @param mark what precedes each of them */
function placesOfFormulas(mark: "'" | ''): RegExp {
  const places = [
    String.raw`^${mark}(?=["']*[=+\-@\t\r\n＝＋－＠])`,
    String.raw`(?<=[,;|\t\r\n])${mark}(?=["']*[=+\-@＝＋－＠])`,
    // CRLF after a separator ends a row and begins no cell.
    String.raw`(?<=[,;|])${mark}(?=["']*(?:\t|\r(?!\n)))`,
  ];
  return new RegExp(places.join('|'), 'gu');
}
