import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { KEYS } from '#web/features/index-form/form-keys.ts';
import { useUndo } from '#web/features/index-form/use-undo.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';

interface UndoInListOptions {
  readonly archive: ArchiveDetail;
  readonly username: string;
  readonly onChanged: (revision: RevisionDetail) => void;
  readonly onOpen: (revisionId: string) => void;
  /** false: a form stands there, which hears the keys itself */
  readonly enabled: boolean;
}

/**
 * The keys for undoing and doing again where no form is open. The browser must not undo in the
 * search then, whoever looks elsewhere.
 */
export function useUndoInList({ enabled, ...options }: UndoInListOptions): void {
  const { undo, redo } = useUndo({ ...options, revisionId: undefined });
  const heard = { inFields: false, enabled };
  useShortcut(KEYS.undo, () => void undo(), heard);
  useShortcut(KEYS.redo, () => void redo(), heard);
  useShortcut(KEYS.redoToo, () => void redo(), heard);
}
