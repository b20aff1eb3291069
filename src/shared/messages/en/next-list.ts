/** What is offered once a work list has nothing left. */
import { formatCount } from '../format.ts';

export const nothingLeft = (view: string) => `Nothing is left in “${view}”`;
export const listDone = 'This list is done.';
export const showAllRevisions = 'Show all revisions';
export const nothingLeftAnywhere = 'Nothing is left in any other list.';
export const listsFindRuleBreaks =
  'Lists find what breaks a rule; what differs from its document is seen only beside it.';
export const nextList = ({ name, count }: { name: string; count: number }) =>
  `Next list: ${name} (${formatCount(count)})`;
