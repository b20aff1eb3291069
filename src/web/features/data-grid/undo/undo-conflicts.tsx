import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { TableUndo } from './use-table-undo.ts';

const UnrevertedDialog = lazyComponent(
  async () => (await import('#web/undo/unreverted-dialog.tsx')).UnrevertedDialog,
  { layout: 'overlay' },
);

interface UndoConflictsProps {
  readonly undo: TableUndo;
  readonly onClosed: () => void;
}

/** The dialog about what the last step has left unchanged, until the user has read it. */
export function UndoConflicts({ undo, onClosed }: UndoConflictsProps) {
  if (!undo.conflicts) return null;
  const close = () => {
    undo.closeConflicts();
    onClosed();
  };
  return <UnrevertedDialog {...undo.conflicts} onClose={close} />;
}
