import type { Scalar } from '#shared/values/value-type.ts';

type Values = Record<string, Scalar>;

/** A record or a row not created yet. A content that cannot be read is `?` and what was typed. */
interface ModelRow {
  /** what the service has; null: not created yet */
  stored: Values | null;
  /**
   * By column: what stands over which value of the service and is not sent, as it cannot be read or as somebody
   * else has changed that value meanwhile.
   */
  readonly over: Map<string, { readonly content: Scalar; readonly base: Scalar }>;
  /** of a row not created yet */
  readonly typed: Values;
  /** whether another user has changed it, ever and since its last deletion */
  others: { ever: boolean; sinceDeletion: boolean };
}

interface ModelCell {
  row: string;
  readonly column: string;
  readonly before: Scalar;
  readonly after: Scalar;
}

interface ModelStep {
  readonly cells: readonly ModelCell[];
  readonly created: readonly { row: string; readonly values: Values }[];
  readonly deleted?: { readonly row: string; readonly kept: ModelRow };
}

/** What the grid and the service are to hold after a sequence of acts, said without desk, network and versions. */
export function stepsModel(columns: readonly string[]) {
  const rows = new Map<string, ModelRow>();
  let done: ModelStep[] = [];
  let undone: ModelStep[] = [];

  const baseOf = ({ over, stored }: ModelRow, column: string): Scalar => {
    const entry = over.get(column);
    return entry ? entry.base : (stored?.[column] ?? null);
  };
  const contentOf = (id: string, column: string): Scalar => {
    const row = rows.get(id);
    const over = row?.over.get(column);
    if (over) return over.content;
    return row?.stored ? (row.stored[column] ?? null) : (row?.typed[column] ?? null);
  };
  const put = (id: string, column: string, content: Scalar) => {
    const row = rows.get(id);
    if (!row) return;
    const stored = row.stored?.[column] ?? null;
    const base = baseOf(row, column);
    row.over.delete(column);
    const isUnread = typeof content === 'string' && content.startsWith('?');
    if (isUnread || (base !== stored && content !== stored))
      row.over.set(column, { content, base });
    else if (row.stored) row.stored[column] = content;
    else row.typed[column] = content;
  };
  const isBlank = (id: string) => columns.every((column) => contentOf(id, column) === null);
  const add = (id: string, stored: Values | null): void =>
    void rows.set(id, {
      stored,
      over: new Map(),
      typed: {},
      others: { ever: false, sinceDeletion: false },
    });
  const act = (step: ModelStep) => {
    done = [...done, step];
    undone = [];
  };
  /** Cells that still hold what the step left get the other content. */
  const turnCells = (cells: readonly ModelCell[], way: 'undo' | 'redo') => {
    const turned: ModelCell[] = [];
    for (const cell of cells) {
      const from = way === 'undo' ? cell.after : cell.before;
      const isNew = cell.row.startsWith('new');
      if (!rows.has(cell.row) && isNew && way === 'redo') add(cell.row, null);
      const row = rows.get(cell.row);
      const stored = row?.stored?.[cell.column] ?? null;
      const isOvertaken = row !== undefined && baseOf(row, cell.column) !== stored;
      if (!row || isOvertaken || contentOf(cell.row, cell.column) !== from) continue;
      turned.push(cell);
    }
    for (const { row, column, before, after } of turned) {
      put(row, column, way === 'undo' ? before : after);
    }
    for (const { row } of turned) if (row.startsWith('new') && isBlank(row)) rows.delete(row);
    return turned;
  };

  return {
    rows,
    contentOf,
    add,
    write(
      cells: readonly { readonly row: string; readonly column: string; readonly to: Scalar }[],
    ) {
      const changed = cells.map(({ row, column, to }): ModelCell => {
        if (!rows.has(row)) add(row, null);
        const before = contentOf(row, column);
        put(row, column, to);
        return { row, column, before, after: to };
      });
      act({ cells: changed, created: [] });
    },
    /** Whether a row can be created. */
    isWhole: (id: string) => {
      const row = rows.get(id);
      return row?.stored === null && row.over.size === 0 && (row.typed['code'] ?? null) !== null;
    },
    /** The creation is a step of its own, or part of the newest step that has written into the row and into others. */
    created(id: string, jrid: string) {
      const creation = { row: jrid, values: { ...rows.get(id)?.typed } };
      rows.delete(id);
      add(jrid, { ...creation.values });
      const owner = done.findLast(({ cells, created }) => {
        const written = new Set(cells.map(({ row }) => row));
        return written.has(id) && written.size + created.length > 1;
      });
      done = done.flatMap((step) => {
        const cells = step.cells.filter(({ row }) => row !== id);
        const created = step === owner ? [...step.created, creation] : step.created;
        return cells.length > 0 || created.length > 0 || step.deleted
          ? [{ ...step, cells, created }]
          : [];
      });
      undone = [];
      if (!owner) act({ cells: [], created: [creation] });
    },
    deleted(row: string) {
      const kept = rows.get(row);
      if (!kept) return;
      kept.over.clear();
      kept.others.sinceDeletion = false;
      rows.delete(row);
      act({ cells: [], created: [], deleted: { row, kept } });
    },
    remote(id: string, column: string, value: Scalar) {
      const row = rows.get(id);
      if (!row?.stored) return;
      row.stored[column] = value;
      row.others = { ever: true, sinceDeletion: true };
    },
    /** Whether what stands in a cell is not sent. */
    isOver: (id: string, column: string) => rows.get(id)?.over.has(column) === true,
    /**
     * The clerk has typed a value in another tab, over what the service has.
     * @param isResumed whether that tab was closed before it was saved: this one saves it, as one step
     */
    writtenBeside(id: string, column: string, after: Scalar, isResumed: boolean) {
      const row = rows.get(id);
      if (!row?.stored) return;
      const before = row.stored[column] ?? null;
      row.stored[column] = after;
      if (isResumed) act({ cells: [{ row: id, column, before, after }], created: [] });
    },
    /** @param creation gives the number of the record that was created again */
    turn(way: 'undo' | 'redo', creation: (values: Values) => string) {
      const step = (way === 'undo' ? done : undone).at(-1);
      if (!step) return;
      if (way === 'undo') done = done.slice(0, -1);
      else undone = undone.slice(0, -1);
      const cells = turnCells(step.cells, way);
      let turned = cells.length > 0;
      const created = step.created.filter(
        ({ row }) => way === 'redo' || rows.get(row)?.others.ever === false,
      );
      for (const { row, values } of created) {
        turned = true;
        if (way === 'undo') {
          rows.delete(row);
          continue;
        }
        const jrid = creation(values);
        add(jrid, { ...values });
        for (const one of [...done, ...undone, step]) {
          for (const cell of one.cells) if (cell.row === row) cell.row = jrid;
          for (const again of one.created) if (again.row === row) again.row = jrid;
        }
      }
      if (step.deleted) {
        const { row, kept } = step.deleted;
        if (way === 'undo') {
          rows.set(row, kept);
          turned = true;
        } else if (!kept.others.sinceDeletion) {
          kept.over.clear();
          rows.delete(row);
          turned = true;
        }
      }
      if (!turned) return;
      const left = { ...step, cells, created };
      if (way === 'undo') undone = [...undone, left];
      else done = [...done, left];
    },
  };
}
