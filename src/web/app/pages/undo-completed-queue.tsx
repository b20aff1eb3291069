import * as texts from '#messages/queue-page.ts';
import { UNDO_KEYS } from '#web/undo/undo-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useUndo, useUndoHistory, useUndoShortcuts } from '#web/undo/use-undo.ts';

interface UndoCompletedQueueProps {
  /** the archive's table name */
  readonly archive: string;
  /** opens a revision, in the queue if it belongs to it */
  readonly onOpen: (revisionId: string) => void;
  /** the save of a revision was undone (false) or redone (true) */
  readonly onReverted: (revisionId: string, isRedone: boolean) => void;
}

/** Undoes the last save at the end of a queue, where no form is open, and returns to its revision. */
export function UndoCompletedQueue(props: UndoCompletedQueueProps) {
  const { archive, onOpen, onReverted } = props;
  const history = useUndoHistory(archive);
  const undo = useUndo({ history, shownId: undefined, onOpen, opensRecord: true, onReverted });
  const { step } = undo;
  useUndoShortcuts(undo, { canUndo: step !== undefined });
  if (!step) return null;
  return (
    <Button
      variant="default"
      rightSection={<Kbd keys={UNDO_KEYS.undo} />}
      onClick={() => void undo.undo()}
    >
      {texts.undoIn(step.label)}
    </Button>
  );
}
