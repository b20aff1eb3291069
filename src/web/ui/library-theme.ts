import * as texts from '#messages/common.ts';
import { createTheme } from '@mantine/core';

/**
 * The component library's theme. Every colour and size is a CSS variable in `tokens.css`; the tuple below only names
 * them, so that no style tag is written at run time (the content security policy forbids that).
 */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: {
    accent: [
      'var(--mantine-color-accent-0)',
      'var(--mantine-color-accent-1)',
      'var(--mantine-color-accent-2)',
      'var(--mantine-color-accent-3)',
      'var(--mantine-color-accent-4)',
      'var(--mantine-color-accent-5)',
      'var(--mantine-color-accent-6)',
      'var(--mantine-color-accent-7)',
      'var(--mantine-color-accent-8)',
      'var(--mantine-color-accent-9)',
    ],
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
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
