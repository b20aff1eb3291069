/** A pattern for the names of files, with named parts: `{CUSTOMER}_{INVOICENO}_{DATE}.pdf`. */
export interface FileNamePattern {
  /** the text before the first part */
  readonly start: string;
  readonly parts: readonly NamedPart[];
}

interface NamedPart {
  /** '' for a part that is ignored: `{}` */
  readonly name: string;
  /** the text that ends the part; '' at the end of the name */
  readonly end: string;
}

type ParsedPattern =
  | { readonly ok: true; readonly pattern: FileNamePattern }
  /** `adjacent`: nothing separates two parts; `brace`: an unmatched brace; `none`: it has no part */
  | { readonly ok: false; readonly problem: 'adjacent' | 'brace' | 'none' };

/** Parses a pattern as the user types it. */
export function parseFileNamePattern(text: string): ParsedPattern {
  const [start = '', ...rest] = text.split('{');
  if (start.includes('}')) return { ok: false, problem: 'brace' };
  if (rest.length === 0) return { ok: false, problem: 'none' };
  const parts: NamedPart[] = [];
  for (const piece of rest) {
    const [name = '', end, ...more] = piece.split('}');
    if (end === undefined || more.length > 0) return { ok: false, problem: 'brace' };
    if (parts.at(-1)?.end === '') return { ok: false, problem: 'adjacent' };
    parts.push({ name: name.trim(), end });
  }
  return { ok: true, pattern: { start, parts } };
}

/**
 * The parts of a file's name. A part has at least one character and ends before the first occurrence of the text that
 * follows it in the pattern; the last one at the end of the name. Texts of the pattern match ignoring case.
 * @returns null: the name does not match the pattern
 */
export function readFileName(
  { start, parts }: FileNamePattern,
  fileName: string,
): ReadonlyMap<string, string> | null {
  const plain = fileName.toLowerCase();
  if (plain.length !== fileName.length || !plain.startsWith(start.toLowerCase())) return null;
  const found = new Map<string, string>();
  let at = start.length;
  for (const [i, { name, end }] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const wanted = end.toLowerCase();
    const stop = isLast
      ? plain.endsWith(wanted)
        ? plain.length - wanted.length
        : -1
      : plain.indexOf(wanted, at + 1);
    if (stop <= at) return null;
    if (name !== '') found.set(name, fileName.slice(at, stop));
    at = stop + end.length;
  }
  return found;
}
