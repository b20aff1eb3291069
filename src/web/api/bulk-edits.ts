import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { onlyItem, taskAnswers } from './load-answer-schemas.ts';

/** Parses the answer about one bulk edit. */
export async function parseBulkEdit(raw: unknown): Promise<AnsweredBulkEdit> {
  return onlyItem((await taskAnswers()).bulkEditsAnswer.parse(raw).bulkedits);
}
