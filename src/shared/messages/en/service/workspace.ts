import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
export const noField = coded(
  'workspace.noField',
  ({ field }: { field: string }) => `There is no field ${field}.`,
);
export const tooManyViews = coded(
  'workspace.tooManyViews',
  ({ max }: { max: number }) =>
    `You can have at most ${max} views of a list. Delete one that you do not need.`,
);
export const noView = coded(
  'workspace.noView',
  ({ kind }: { kind: string }) => `There is no view with this id in this ${kind}.`,
);
export const sharedViewNeedsManage = coded(
  'workspace.sharedViewNeedsManage',
  ({ kind }: { kind: string }) => `You need the right to manage the ${kind} to share a view.`,
);
export const viewNameTaken = coded(
  'workspace.viewNameTaken',
  ({ name }: { name: string }) => `There is already a view named ${name}.`,
);
export const nothingToCorrect = coded(
  'workspace.nothingToCorrect',
  'There is nothing to correct: no revision matches.',
);
export const tooManyStates = coded(
  'workspace.tooManyStates',
  ({ max }: { max: number }) => `At most ${formatCount(max)} states can be sent at once.`,
);
export const positionAfterEnd = coded(
  'workspace.positionAfterEnd',
  ({ total }: { total: number }) => `The position must be at most ${total}, the end of the queue.`,
);
export const revisionNotInQueue = coded(
  'workspace.revisionNotInQueue',
  ({ revisionId }: { revisionId: number }) => `Revision ${revisionId} is not in this queue.`,
);
export const noQueue = coded(
  'workspace.noQueue',
  'You have no queue with this id in this archive.',
);
