import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { aboutStep } from '#web/api/undo.ts';
import { KEYS } from '#web/features/index-form/form-keys.ts';
import { useUndo } from '#web/features/index-form/use-undo.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';

interface UndoAtEndProps {
  readonly archive: ArchiveDetail;
  readonly username: string;
  readonly onChanged: (revision: RevisionDetail) => void;
  /** opens a revision, in the queue where it is of it */
  readonly onOpen: (revisionId: string) => void;
  /** the save of a revision was undone (false), or redone */
  readonly onTurned: (revisionId: string, done: boolean) => void;
}

/** Undoes the last save where no form stands any more, and goes back to its revision. */
export function UndoCompletedQueue({
  archive,
  username,
  onChanged,
  onOpen,
  onTurned,
}: UndoAtEndProps) {
  const { step, undo, redo } = useUndo({
    archive,
    username,
    revisionId: undefined,
    onChanged,
    onOpen,
    onTaken: onOpen,
    onTurned,
  });
  useShortcut(KEYS.undo, () => void undo(), { enabled: step !== undefined });
  useShortcut(KEYS.redo, () => void redo());
  useShortcut(KEYS.redoToo, () => void redo());
  if (!step) return null;
  return (
    <Button variant="default" rightSection={<Kbd keys={KEYS.undo} />} onClick={() => void undo()}>
      Undo in {aboutStep(step)}
    </Button>
  );
}
