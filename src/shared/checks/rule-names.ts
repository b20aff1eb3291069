import { nameKey } from '../rules/names.ts';
import { needsQuotes, parseSyntax } from './parse-syntax.ts';
import type { NameAt, Syntax } from './rule-syntax.ts';
import { nodesOf, type ColumnReference, type RuleNode } from './rule-tree.ts';

/** The names of the fields in a rule, in the order of the definition and in its spelling. */
export function fieldsOf(rule: RuleNode): string[] {
  return [...new Set(nodesOf(rule).flatMap((node) => (node.op === 'field' ? [node.name] : [])))];
}

/** The columns in which a rule looks values up, each once. */
export function referencedColumns(rule: RuleNode): ColumnReference[] {
  const found = new Map<string, ColumnReference>();
  for (const node of nodesOf(rule)) {
    if (node.op !== 'inColumn') continue;
    const { table, column } = node.reference;
    found.set(`${nameKey(table)}.${nameKey(column)}`, node.reference);
  }
  return [...found.values()];
}

/** Whether the result of a rule for a record changes with time: daily (`today`) or hourly (`now`); null: never. */
export function clockUse(rule: RuleNode): 'daily' | 'hourly' | null {
  const clocks = nodesOf(rule).flatMap((node) => (node.op === 'clock' ? [node.kind] : []));
  if (clocks.includes('datetime')) return 'hourly';
  return clocks.length > 0 ? 'daily' : null;
}

/** New names for the names in a rule; undefined: the name stays. Names are passed as they are written. */
export interface RuleRenames {
  field?(name: string): string | undefined;
  table?(name: string): string | undefined;
  /** @param table as it is written before the renames */
  column?(table: string, column: string): string | undefined;
}

/**
 * Replaces names in a rule and leaves everything else as it is written.
 * @param text a rule that can be parsed
 */
export function renameInRule(text: string, renames: RuleRenames): string {
  const read = parseSyntax(text);
  if (!read.ok) return text;
  const changes: { readonly at: NameAt; readonly name: string }[] = [];
  const change = (at: NameAt, name: string | undefined) => {
    if (name !== undefined) changes.push({ at, name });
  };
  for (const node of syntaxNodes(read.value)) {
    if (node.kind === 'field') change(node, renames.field?.(node.name));
    if (node.kind === 'inColumn') {
      const { table, column } = node;
      change(table, renames.table?.(table.name));
      change(column, renames.column?.(table.name, column.name));
    }
  }
  // From the end, so that the earlier positions stay valid.
  changes.sort((a, b) => b.at.offset - a.at.offset);
  return changes.reduce((rule, { at, name }) => {
    const written = needsQuotes(name) ? `"${name}"` : name;
    return rule.slice(0, at.offset) + written + rule.slice(at.offset + at.length);
  }, text);
}

/** Whether two rules say the same: without regard to blanks, parentheses that change nothing, and the case of names and words. */
export function isSameRule(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseSyntax(one), parseSyntax(other)];
  return first.ok && second.ok && canonicalForm(first.value) === canonicalForm(second.value);
}

const RANGES = new Set(['offset', 'length', 'at', 'patternRange']);

/** The tree of a rule, without the ranges of its text. */
function canonicalForm(syntax: Syntax): string {
  return JSON.stringify(syntax, (key, value: unknown) => {
    if (RANGES.has(key)) return undefined;
    return key === 'name' && typeof value === 'string' ? nameKey(value) : value;
  });
}

function syntaxNodes(syntax: Syntax): Syntax[] {
  const parts = Object.values<unknown>({ ...syntax }).flat();
  return [syntax, ...parts.filter(isSyntax).flatMap(syntaxNodes)];
}

/** Also of the tokens at which a node is written: they have no nodes in them. */
function isSyntax(part: unknown): part is Syntax {
  return typeof part === 'object' && part !== null && 'kind' in part;
}
