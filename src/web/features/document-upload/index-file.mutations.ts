import { useMutation } from '@tanstack/react-query';
import * as texts from '#messages/document-upload.ts';
import { SAMPLE_ROWS, type SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { writeData } from '#web/api/request.ts';
import type { GivenIndexFile } from './index-file.ts';

type SheetToRead = Pick<GivenIndexFile, 'file'> & Partial<GivenIndexFile>;

/** Reads the rows of a spreadsheet. What is not known of its format is detected. */
export function useReadSheet(onRead: (sheet: SheetAnalysis, read: SheetToRead) => void) {
  return useMutation({
    mutationFn: async ({ file, format = {}, overrides = [] }: SheetToRead) => {
      const form = new FormData();
      form.set('rows', String(SAMPLE_ROWS.max));
      form.set('columns', JSON.stringify(overrides));
      for (const [name, value] of Object.entries(format)) if (value) form.set(name, value);
      form.set('files[0]', file, file.name);
      return writeData(apiPaths.analyses(), {
        method: 'POST',
        body: form,
        parse: async (raw) => {
          const [found] = (await administrationAnswers()).analysesAnswer.parse(raw).analyses;
          if (found?.kind !== 'sheet') throw new Error(texts.noSheet);
          return found;
        },
      });
    },
    onSuccess: onRead,
  });
}
