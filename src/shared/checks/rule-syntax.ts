import type { SourceRange } from './rule-problem.ts';

export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type ComparisonOperator = (typeof COMPARISONS)[number];
type Arithmetic = '+' | '-' | '*' | '/';

/** The functions, with the number of values each takes. */
export const FUNCTIONS = {
  empty: 1,
  length: 1,
  lower: 1,
  digits: 1,
  abs: 1,
  round: 2,
  days: 2,
  year: 1,
  month: 1,
  day: 1,
  if: 3,
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** A name as it is written, with its position. */
export interface NameAt extends SourceRange {
  readonly name: string;
}

/** A rule as it is written: names and types are not checked yet (`type-rule.ts`). */
export type Syntax = SourceRange &
  (
    | { readonly kind: 'number' | 'text' | 'date'; readonly value: string }
    | { readonly kind: 'constant'; readonly name: Constant }
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Syntax[] }
    | { readonly kind: 'negate' | 'not'; readonly operand: Syntax }
    | {
        readonly kind: 'arithmetic';
        readonly operator: Arithmetic;
        readonly left: Syntax;
        readonly right: Syntax;
      }
    | {
        readonly kind: 'compare';
        readonly operator: ComparisonOperator;
        /** where the operator is written */
        readonly at: SourceRange;
        readonly left: Syntax;
        readonly right: Syntax;
      }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly Syntax[] }
    | {
        readonly kind: 'between';
        readonly operand: Syntax;
        readonly low: Syntax;
        readonly high: Syntax;
      }
    | { readonly kind: 'in'; readonly operand: Syntax; readonly values: readonly Syntax[] }
    | {
        readonly kind: 'inColumn';
        readonly operand: Syntax;
        readonly table: NameAt;
        readonly column: NameAt;
      }
    | {
        readonly kind: 'contains' | 'startsWith' | 'endsWith';
        readonly operand: Syntax;
        readonly part: Syntax;
      }
    | {
        readonly kind: 'matches';
        readonly operand: Syntax;
        readonly pattern: string;
        readonly patternRange: SourceRange;
      }
  );

export const CONSTANTS = ['true', 'false', 'null', 'today', 'now'] as const;
type Constant = (typeof CONSTANTS)[number];
