import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { notify } from '#web/ui/notify.ts';
import { isNewRow } from '../edit-store/edits.ts';
import type { RevertedPlace } from '../undo/revert-step.ts';
import type { Grid } from '../use-grid.ts';
import type { Rows } from './use-rows.ts';
import { rowOf } from './row-of.ts';
import * as texts from '#messages/tables.ts';

interface ShowPlaceOptions {
  readonly guid: string;
  readonly columns: readonly Column[];
  readonly grid: Grid;
  readonly rows: Rows;
}

/** Leads the keyboard to what was just changed from afar, once the list shows it. */
export function useShowPlace({ guid, columns, grid, rows }: ShowPlaceOptions) {
  const [wanted, setWanted] = useState<RevertedPlace | null>(null);
  const led = useRef<RevertedPlace | null>(null);
  const lead = useEffectEvent(async ({ jrid, column }: RevertedPlace) => {
    const row = await rowOf(guid, rows, jrid);
    if (row === null) {
      // A row that was never created is gone with what was typed into it.
      if (isNewRow(jrid)) return;
      notify(texts.hiddenByFilter);
      return;
    }
    const at = columns.findIndex(({ name }) => name === column) + 1;
    const col = at > 0 ? at : grid.state.focus.col;
    grid.dispatch({ do: 'focus', place: { row, col }, extent: grid.extent() });
  });
  // A list that is read again must be there first: the rows of the one before were in other places.
  const ready = rows.counted && !rows.outdated;
  useEffect(() => {
    if (!wanted || !ready || led.current === wanted) return;
    led.current = wanted;
    // Without an answer the keyboard stays where it is.
    lead(wanted).catch(() => undefined);
  }, [wanted, ready]);

  return (places: readonly RevertedPlace[]) => {
    const { row, column } = grid;
    const here = places.find((one) => one.jrid === row?.key && one.column === column?.name);
    const [first] = places;
    if (first) setWanted({ ...(here ?? first) });
  };
}
