import * as texts from '#messages/queue-page.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import { UNDO_KEYS } from '#web/undo/undo-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { useUndo } from '#web/undo/use-undo.ts';

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
  const { username } = useSession();
  const history = undoHistoryOf(useQueryClient(), username, archive);
  const { step, undo, redo } = useUndo({
    history,
    shownId: undefined,
    onOpen,
    opensRecord: true,
    onReverted,
  });
  useShortcut(UNDO_KEYS.undo, () => void undo(), { enabled: step !== undefined });
  useShortcut(UNDO_KEYS.redo, () => void redo());
  useShortcut(UNDO_KEYS.redoAlternative, () => void redo());
  if (!step) return null;
  return (
    <Button
      variant="default"
      rightSection={<Kbd keys={UNDO_KEYS.undo} />}
      onClick={() => void undo()}
    >
      {texts.undoIn(step.label)}
    </Button>
  );
}
