import { DeleteDialog } from './lazy-components.ts';
import { PasteDialogs } from './paste/paste-dialogs.tsx';
import type { GridCommands } from './use-grid-commands.ts';
import type { GridModel } from './use-grid-model.ts';

interface GridDialogsProps {
  readonly model: GridModel;
  readonly commands: GridCommands;
}

/** The dialogs that the commands of the grid open. */
export function GridDialogs({ model, commands }: GridDialogsProps) {
  const { table, grid, paste, selection } = model;
  const { deletion, actions } = commands;
  return (
    <>
      <PasteDialogs
        paste={paste}
        tableLabel={table.label}
        onClosed={() => {
          grid.dispatch({ do: 'active' });
          actions.refocus();
        }}
      />
      <DeleteDialog
        opened={deletion.opened}
        onClose={deletion.close}
        table={table}
        confirmation={deletion}
        deletion={selection.deletion}
      />
    </>
  );
}
