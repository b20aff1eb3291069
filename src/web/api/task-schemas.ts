// Imported first, because the schemas read this setting when they are created.
import './zod-without-eval.ts';

export { checksAnswer, duplicateGroupsAnswer } from '#shared/contract/check-answers.ts';
export { figuresAnswer } from '#shared/contract/check-figures.ts';
export { mergedAnswer, mergePlanAnswer } from '#shared/contract/merge-answers.ts';
export { importInspectionAnswer } from '#shared/contract/imports.ts';
export {
  bulkEditDatasetsAnswer,
  bulkEditListAnswer,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
} from '#shared/contract/bulk-edit-answers.ts';
export {
  deletedAnswer,
  statisticsAnswer,
  valueGroupsAnswer,
  positionAnswer,
} from '#shared/contract/table-analysis-answers.ts';
export { valueAliasesAnswer, valueClustersAnswer } from '#shared/contract/value-cleanup.ts';
