import { useUndo, useUndoHistory, useUndoShortcuts } from '#web/undo/use-undo.ts';

interface UndoInListOptions {
  /** the archive's table name */
  readonly archive: string;
  readonly onOpen: (revisionId: string) => void;
  /** false: a form is open, which handles the keys itself */
  readonly enabled: boolean;
}

/** The keys for undo and redo while no form is open. Without them the browser would undo in the search field. */
export function useUndoInList({ archive, onOpen, enabled }: UndoInListOptions): void {
  const history = useUndoHistory(archive);
  const undo = useUndo({ history, shownId: undefined, onOpen });
  useUndoShortcuts(undo, { inFields: false, enabled });
}
