import * as texts from '#messages/views.ts';
import type { View } from '#shared/contract/workspace-answers.ts';
import { IconButton } from '#web/ui/button.tsx';
import { MoreIcon } from '#web/ui/icons.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import type { ViewQuestion } from './view-dialog.tsx';

interface ViewMenuProps {
  readonly view: View;
  readonly mayShare: boolean;
  readonly onAsk: (question: ViewQuestion) => void;
}

/** The commands for a view other than saving. */
export function ViewMenu({ view, mayShare, onAsk }: ViewMenuProps) {
  return (
    <LazyMenu
      position="bottom-end"
      withinPortal={false}
      target={
        <IconButton writes aria-label={texts.menuOf(view.name)}>
          <MoreIcon size={18} />
        </IconButton>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item onClick={() => onAsk({ kind: 'change', view })}>
            {mayShare ? texts.renameOrShare : texts.rename}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => onAsk({ kind: 'delete', view })}>
            {texts.deleteView}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}
