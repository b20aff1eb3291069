/** How a spreadsheet is written. */
export interface SheetFormat {
  readonly type: 'xlsx' | 'csv';
  /** between the cells of a line of CSV; null: XLSX */
  readonly separator: string | null;
  /** of CSV, as `TextDecoder` names it; null: XLSX */
  readonly encoding: string | null;
}
