/** What is offered when a work list is finished. */
import { formatCount } from '../format.ts';

export const nothingLeft = (view: string) => `Nothing is left in “${view}”`;
export const listDone = 'This list is done.';
export const showAllRevisions = 'Show all revisions';
export const nothingLeftAnywhere = 'Nothing is left in any other list.';
export const listsFindRuleBreaks =
  'Lists find values that break a rule. To find values that differ from their documents, compare them with the documents.';
export const nextList = ({ name, count }: { name: string; count: number }) =>
  `Next list: ${name} (${formatCount(count)})`;
