import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import { UNDO_KEYS } from '#web/undo/undo-keys.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { useUndo } from '#web/undo/use-undo.ts';

interface UndoInListOptions {
  /** the archive's table name */
  readonly archive: string;
  readonly onOpen: (revisionId: string) => void;
  /** false: a form is open, which handles the keys itself */
  readonly enabled: boolean;
}

/** The keys for undo and redo while no form is open. Without them the browser would undo in the search field. */
export function useUndoInList({ archive, onOpen, enabled }: UndoInListOptions): void {
  const { username } = useSession();
  const history = undoHistoryOf(useQueryClient(), username, archive);
  const { undo, redo } = useUndo({ history, shownId: undefined, onOpen });
  const options = { inFields: false, enabled };
  useShortcut(UNDO_KEYS.undo, () => void undo(), options);
  useShortcut(UNDO_KEYS.redo, () => void redo(), options);
  useShortcut(UNDO_KEYS.redoAlternative, () => void redo(), options);
}
