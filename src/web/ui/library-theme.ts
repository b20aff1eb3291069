import { createTheme } from '@mantine/core';

/**
 * The component library's theme. Every colour and size is a CSS variable in `tokens.css`; the
 * tuple below only names them, so that nothing has to write a style tag at run time (the content
 * security policy forbids that).
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
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
    // The page itself never scrolls (its panes do), so nothing has to be locked behind a dialog.
    Modal: {
      defaultProps: {
        overlayProps: { backgroundOpacity: 0.4 },
        lockScroll: false,
        // Gone at once: keys belong to the uppermost dialog as long as it is there.
        transitionProps: { duration: 90, exitDuration: 0 },
      },
    },
    // The placeholder would be a child that no menu may have (ARIA).
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
