import { useRef, useState } from 'react';

/** By id: whether a record is selected; missing: it is not. */
type SelectedRecords = Readonly<Record<string, boolean>>;

interface RowSelectionOptions {
  /** the id of the record at a position; null: there is no selectable record. @throws {CallError} */
  readonly idAt: (index: number) => Promise<string | null>;
  /**
   * The ids of the records from one position to another, inclusive, also of records that are not loaded; null: the
   * range is not selected, and the user was informed.
   * @throws {CallError}
   */
  readonly idsBetween: (from: number, to: number) => Promise<readonly string[] | null>;
  readonly onError: (error: unknown) => void;
}

/** The selected records of a list, by id. */
export interface RowSelection {
  readonly state: SelectedRecords;
  readonly ids: readonly string[];
  readonly change: (toNext: (before: SelectedRecords) => SelectedRecords) => void;
  readonly toggle: (index: number) => void;
  /**
   * Selects from the row that was last toggled or clicked to this one, in addition to the previous selection.
   * @param from where the range starts if no row was toggled or clicked; undefined: the row is toggled then
   */
  readonly extendTo: (index: number, from?: number) => void;
  /** the next range begins at this row */
  readonly startAt: (index: number) => void;
  readonly clear: () => void;
}

/** Selects rows one by one and in ranges. Ranges may include rows that are not loaded: their ids are requested. */
export function useRowSelection(options: RowSelectionOptions): RowSelection {
  const { idAt, idsBetween, onError } = options;
  const [rows, setRows] = useState<SelectedRecords>({});
  const anchor = useRef<number | null>(null);
  // The selection without the range that is being extended.
  const base = useRef<SelectedRecords>({});
  const request = useRef(0);

  const change: RowSelection['change'] = (toNext) => {
    request.current += 1;
    setRows((before) => {
      base.current = toNext(before);
      return base.current;
    });
  };
  const toggle = (index: number) => {
    anchor.current = index;
    const toggleThere = async () => {
      const id = await idAt(index);
      if (id === null) return;
      change(({ [id]: wasSelected, ...others }) =>
        wasSelected ? others : { ...others, [id]: true },
      );
    };
    toggleThere().catch(onError);
  };
  const selectBetween = async (first: number, last: number) => {
    const current = ++request.current;
    const ids = await idsBetween(first, last);
    // A later selection has replaced this one.
    if (!ids || current !== request.current) return;
    setRows({ ...base.current, ...Object.fromEntries(ids.map((id) => [id, true])) });
  };
  return {
    state: rows,
    ids: Object.keys(rows),
    change,
    toggle,
    extendTo: (index, from) => {
      anchor.current ??= from ?? null;
      if (anchor.current === null) return toggle(index);
      selectBetween(Math.min(anchor.current, index), Math.max(anchor.current, index)).catch(
        onError,
      );
    },
    startAt: (index) => {
      anchor.current = index;
      base.current = rows;
    },
    clear: () => {
      anchor.current = null;
      change(() => ({}));
    },
  };
}
