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
}

/** The new content of a cell. */
interface FilledCell<Row, Shown extends Column> {
  readonly row: Row;
  readonly column: Shown;
  readonly content: ClipboardCell;
}

/** Continues each column of the source downwards or upwards. */
export function fillDown<Row, Shown extends Column>(
  { source, target }: FillArea,
  { columns, rowAt, contentOf }: FillSurroundings<Row, Shown>,
): readonly FilledCell<Row, Shown>[] {
  const run = ordered(target.bottom < source.top);
  return columns.slice(source.left - 1, source.right).flatMap((column) => {
    const from = run(span(source.top, source.bottom)).flatMap((index) => {
      const row = rowAt(index);
      return row ? contentOf(row, column) : [];
    });
    const filled = continuation(column, from, rowsOf(target));
    return run(span(target.top, target.bottom)).flatMap((index, i) => {
      const [row, content] = [rowAt(index), filled[i]];
      return row && content ? { row, column, content } : [];
    });
  });
}

/** Continues each row of the source sideways; if its columns have different types, their values are repeated. */
export function fillSideways<Row, Shown extends Column>(
  { source, target }: FillArea,
  { columns, rowAt, contentOf }: FillSurroundings<Row, Shown>,
): readonly FilledCell<Row, Shown>[] {
  const run = ordered(target.right < source.left);
  const from = run(columns.slice(source.left - 1, source.right));
  const to = run(columns.slice(target.left - 1, target.right));
  const [kind] = from;
  const all = [...from, ...to];
  const isSeries = all.every(({ type }) => type === kind?.type);
  const scale = all.some((column) => column.scale === null)
    ? null
    : Math.max(...all.map((column) => column.scale ?? 0));
  return span(source.top, source.bottom).flatMap((index) => {
    const row = rowAt(index);
    if (!row) return [];
    const contents = from.map((column) => contentOf(row, column));
    const filled =
      kind && isSeries
        ? continuation({ type: kind.type, scale }, contents, to.length)
        : repeated(contents, to.length);
    return to.flatMap((column, i) => {
      const content = filled[i];
      return content ? { row, column, content } : [];
    });
  });
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
