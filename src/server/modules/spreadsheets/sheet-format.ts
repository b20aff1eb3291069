/** The format of a spreadsheet. */
export interface SheetFormat {
  readonly type: 'xlsx' | 'csv';
  /** the separator of CSV; null: XLSX */
  readonly separator: string | null;
  /** of CSV, as a label of `TextDecoder`; null: XLSX */
  readonly encoding: string | null;
}
