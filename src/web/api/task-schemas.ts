// First, as the schemas look at this setting when they are made.
import './without-eval.ts';

export { importInspectionAnswer } from '#shared/imports.ts';
export {
  bulkEditDatasetsAnswer,
  bulkEditListAnswer,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
} from '#shared/bulk-edit-answers.ts';
export { deletedAnswer, factsAnswer, groupsAnswer, positionAnswer } from '#shared/table-desk.ts';
