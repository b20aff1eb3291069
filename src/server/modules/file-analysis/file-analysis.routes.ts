import { formBody } from '#server/http/form.ts';
import { type AnyRoute, definePreparedRoute } from '#server/http/route.ts';
import { analysesAnswer } from '#shared/contract/file-analysis.ts';
import { analyseDefinition, isDefinitionFile } from './analyse-definition.service.ts';
import { analyseSheet } from './analyse-sheet.service.ts';
import { DESCRIBED_ANALYSIS_FORM, readAnalysisForm } from './analysis-form.ts';

/** The analysis of files from which archives and tables are made (docs/interface/administration.md). */
export const fileAnalysisRoutes: readonly AnyRoute[] = [
  definePreparedRoute({
    method: 'POST',
    path: 'configuration/analyses',
    summary: 'Detect the format and the fields of a file',
    description:
      'Form: `files[0]`, a CSV, TSV, XLSX or definition file, and values that override what is detected. The answer ' +
      'has the format, the columns, the first rows, and an archive and a table that can be created from them. Changes ' +
      'nothing.',
    target: 'none',
    access: 'read',
    isForAdministrators: true,
    body: formBody,
    form: DESCRIBED_ANALYSIS_FORM,
    answer: analysesAnswer,
    cost: 'heavy',
    idempotency: 'none',
    async prepare(_database, { body }) {
      const request = await readAnalysisForm(body);
      const analysis = (await isDefinitionFile(request.file.path))
        ? await analyseDefinition(request.file)
        : await analyseSheet(request);
      return async () => ({ body: { analyses: [analysis] } });
    },
  }),
];
