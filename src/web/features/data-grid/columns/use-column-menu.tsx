import * as texts from '#messages/tables.ts';
import { useState } from 'react';
import type { ColourRule, ListView, ViewChange } from '#web/api/list-view.ts';
import { cleanUpEntry } from '#web/grid/column-menu-entries.tsx';
import type { ColumnMenuEntry } from '#web/grid/column-menu.tsx';
import { ColourDialog } from '../lazy-components.ts';
import type { TableField } from './table-fields.ts';

interface ColumnMenuOptions {
  readonly fields: readonly TableField[];
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  /** requests the values and sums of a column */
  readonly onSummarise: (column: TableField) => void;
  /** shows the values of a text column */
  readonly onCleanUp: (column: TableField) => void;
}

const NO_COLOURS: readonly ColourRule[] = [];

/** The entries that only tables have in the menus of headings, and the dialog that one of them opens. */
export function useColumnMenu(options: ColumnMenuOptions) {
  const { fields, view, onViewChange, onSummarise, onCleanUp } = options;
  const [colourField, setColourField] = useState<TableField | null>(null);
  return {
    entries: (column: TableField): readonly ColumnMenuEntry[] =>
      column.kind === 'check'
        ? []
        : [
            { label: texts.summaryOf, onSelect: () => onSummarise(column) },
            { label: texts.colourCells, onSelect: () => setColourField(column) },
            ...cleanUpEntry(column, onCleanUp),
          ],
    dialog: colourField && (
      <ColourDialog
        field={colourField}
        fields={fields}
        rules={view.colours ?? NO_COLOURS}
        onChange={(colours) => onViewChange((before) => ({ ...before, colours }))}
        onClose={() => setColourField(null)}
      />
    ),
  };
}
