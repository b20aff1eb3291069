import { useMutation } from '@tanstack/react-query';
import * as texts from '#messages/document-upload.ts';
import { SAMPLE_ROWS, type SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { analyseFile } from '#web/api/file-imports.ts';
import type { GivenIndexFile } from './index-file.ts';

type SheetToRead = Pick<GivenIndexFile, 'file'> & Partial<GivenIndexFile>;

/** Reads the rows of a spreadsheet. What is not known of its format is detected. */
export function useReadSheet(onRead: (sheet: SheetAnalysis, read: SheetToRead) => void) {
  return useMutation({
    mutationFn: ({ file, format = {}, overrides: columns = [] }: SheetToRead) =>
      analyseFile({ file, format, columns, rows: SAMPLE_ROWS.max }, (analysis) => {
        if (analysis.kind !== 'sheet') throw new Error(texts.noSheet);
        return analysis;
      }),
    onSuccess: onRead,
  });
}
