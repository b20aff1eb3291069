// First, as the schemas look at this setting when they are made.
import './without-eval.ts';

export * from '#shared/answers.ts';
export { importInspectionAnswer } from '#shared/imports.ts';
export {
  bulkEditDatasetsAnswer,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
} from '#shared/bulk-edit-messages.ts';
export * from '#shared/desk.ts';
export { changedEventSchema } from '#shared/events.ts';
export { deletedAnswer, factsAnswer, groupsAnswer, positionAnswer } from '#shared/table-desk.ts';
