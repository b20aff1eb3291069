import { useMutation } from '@tanstack/react-query';
import { SAMPLE_ROWS } from '#shared/contract/file-analysis.ts';
import { analyseFile } from '#web/api/file-imports.ts';
import type { GivenIndexFile } from './index-file.ts';

/** A spreadsheet, and the known parts of its format. */
export type SheetToRead = Pick<GivenIndexFile, 'file'> & Partial<GivenIndexFile>;

/** Reads the rows of a spreadsheet. Unknown parts of its format are detected. The result is null for another file. */
export function useReadSheet() {
  return useMutation({
    mutationFn: ({ file, format = {}, overrides: columns = [] }: SheetToRead) =>
      analyseFile({ file, format, columns, rows: SAMPLE_ROWS.max }, (analysis) =>
        analysis.kind === 'sheet' ? analysis : null,
      ),
  });
}
