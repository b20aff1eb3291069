import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ClipboardCell } from './clipboard-content.ts';
import { rowsOf } from '#web/grid/rects.ts';
import { continueSeries } from './series.ts';
import { span } from './span.ts';
import type { FillArea } from './fill-area.ts';

interface FillSurroundings<Row, Shown extends Column> {
  /** those shown, in their order */
  readonly columns: readonly Shown[];
  readonly rowAt: (index: number) => Row | null;
  readonly contentOf: (row: Row, column: Shown) => ClipboardCell;
  readonly put: (row: Row, column: Shown, content: ClipboardCell) => void;
}

/** Continues each column of the source downwards or upwards. */
export function fillDown<Row, Shown extends Column>(
  { source, target }: FillArea,
  over: FillSurroundings<Row, Shown>,
): void {
  const { columns, rowAt, contentOf, put } = over;
  const run = ordered(target.bottom < source.top);
  for (const column of columns.slice(source.left - 1, source.right)) {
    const from = run(span(source.top, source.bottom)).flatMap((index) => {
      const row = rowAt(index);
      return row ? contentOf(row, column) : [];
    });
    const filled = continuation(column, from, rowsOf(target));
    for (const [i, index] of run(span(target.top, target.bottom)).entries()) {
      const [row, content] = [rowAt(index), filled[i]];
      if (row && content) put(row, column, content);
    }
  }
}

/** Continues each row of the source sideways; if its columns have different types, their values are repeated. */
export function fillSideways<Row, Shown extends Column>(
  { source, target }: FillArea,
  over: FillSurroundings<Row, Shown>,
): void {
  const { columns, rowAt, contentOf, put } = over;
  const run = ordered(target.right < source.left);
  const [from, to] = [source, target].map(({ left, right }) => run(columns.slice(left - 1, right)));
  if (!from || !to) return;
  const [kind] = from;
  const all = [...from, ...to];
  const isSeries = all.every(({ type }) => type === kind?.type);
  const scale = all.some((column) => column.scale === null)
    ? null
    : Math.max(...all.map((column) => column.scale ?? 0));
  for (const index of span(source.top, source.bottom)) {
    const row = rowAt(index);
    if (!row) continue;
    const contents = from.map((column) => contentOf(row, column));
    const filled =
      kind && isSeries
        ? continuation({ type: kind.type, scale }, contents, to.length)
        : repeated(contents, to.length);
    for (const [i, column] of to.entries()) {
      const content = filled[i];
      if (content) put(row, column, content);
    }
  }
}

/** The continuation of contents; invalid texts are repeated. */
function continuation(
  rules: Pick<Column, 'type' | 'scale'>,
  from: readonly ClipboardCell[],
  count: number,
): readonly ClipboardCell[] {
  const values = from.flatMap((content): Scalar[] => ('value' in content ? [content.value] : []));
  return values.length === from.length
    ? continueSeries(rules, values, count).map((value) => ({ value }))
    : repeated(from, count);
}

function repeated(from: readonly ClipboardCell[], count: number): readonly ClipboardCell[] {
  return Array.from({ length: count }, (_, i) => from[i % from.length]).filter(
    (content) => content !== undefined,
  );
}

function ordered(backwards: boolean) {
  return <T>(values: readonly T[]): readonly T[] => (backwards ? values.toReversed() : values);
}
