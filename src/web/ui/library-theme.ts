import * as texts from '#messages/common.ts';
import { createTheme } from '@mantine/core';

/**
 * The component library's theme. Its colours and sizes are CSS variables (`library-tokens.css`): no style tag is written
 * at run time, which the content security policy forbids.
 */
export const theme = createTheme({
  respectReducedMotion: true,
  components: {
    // The page itself never scrolls (its panes do), so scrolling need not be locked behind a dialog.
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': texts.close },
        overlayProps: { backgroundOpacity: 0.4 },
        lockScroll: false,
        // Removed at once: keys belong to the topmost dialog while it exists.
        transitionProps: { duration: 90, exitDuration: 0 },
      },
    },
    // Outside of `main` a header would be a banner of the page, of which there may be one.
    ModalHeader: { defaultProps: { role: 'none' } },
    // The placeholder would be a child that ARIA does not allow in a menu.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 60 },
        shadow: 'md',
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 60 }, shadow: 'md' } },
  },
});
