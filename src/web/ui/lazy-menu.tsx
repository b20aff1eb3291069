import type { Menu as MantineMenu, MenuProps, Popover, PopoverProps } from '@mantine/core';
import {
  cloneElement,
  type MouseEventHandler,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { LazyLibraryProvider, lazyUiModule } from './lazy-component.tsx';
import type { LazyModule } from './lazy-module.ts';
import { LazyModuleError } from './lazy-module-error.tsx';

/** Menus of buttons. */
export const menuModule = lazyUiModule(() => import('./menu-module.ts'));

/**
 * Calls a function when the user goes elsewhere before a menu is loaded: it would take the focus from what they type.
 * @returns ends it
 */
export function onUserLeaves(onLeave: () => void): () => void {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  addEventListener('pointerdown', onLeave, options);
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape' || key === 'Tab' || key.length === 1) onLeave();
    },
    options,
  );
  return () => listening.abort();
}

interface TargetProps {
  readonly onClick?: MouseEventHandler;
  readonly onPointerEnter?: () => void;
  readonly onFocus?: () => void;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-expanded'?: boolean;
}
/** A button without other handlers, which opens the menu or popover. */
type Target = ReactElement<TargetProps>;

interface LazyMenuProps extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  readonly children: (Menu: typeof MantineMenu) => ReactNode;
}

/** A menu whose code is loaded when the page is idle, or when the pointer or the focus is on its button. */
export function LazyMenu({ target, children, ...props }: LazyMenuProps) {
  const { parts, id, button, opened, setOpened } = useLazyTrigger(target, menuModule, 'menu');
  if (!parts) return button;
  const { Menu } = parts;
  return (
    <LazyLibraryProvider>
      <Menu {...props} id={id} opened={opened} onChange={setOpened}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
      </Menu>
    </LazyLibraryProvider>
  );
}

interface LazyPopoverProps<Parts> extends Omit<PopoverProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  /** the popover, and what is shown in it */
  readonly module: LazyModule<Parts>;
  /** of the dropdown */
  readonly label: string;
  readonly className: string;
  readonly children: (parts: Parts) => ReactNode;
}

/** The same for popovers below a button. */
export function LazyPopover<Parts extends { readonly Popover: typeof Popover }>({
  target,
  module,
  label,
  className,
  children,
  ...props
}: LazyPopoverProps<Parts>) {
  const { parts, id, button, opened, setOpened } = useLazyTrigger(target, module, 'dialog');
  if (!parts) return button;
  return (
    <LazyLibraryProvider>
      <parts.Popover {...props} id={id} opened={opened} onChange={setOpened}>
        <parts.Popover.Target>{button}</parts.Popover.Target>
        {/* Labelled by itself, thus by `aria-label`; otherwise the library labels it by the button. */}
        <parts.Popover.Dropdown
          aria-labelledby={`${id}-dropdown`}
          aria-label={label}
          className={className}
        >
          {children(parts)}
        </parts.Popover.Dropdown>
      </parts.Popover>
    </LazyLibraryProvider>
  );
}

function useLazyTrigger<Parts>(
  target: Target,
  module: LazyModule<Parts>,
  opens: 'menu' | 'dialog',
) {
  const id = useId();
  // A button that was rendered before the code was loaded stays until it is pressed: otherwise it would be replaced.
  const [parts, setParts] = useState(module.loaded);
  const [opened, setOpened] = useState(false);
  const [missing, setMissing] = useState(false);
  const open = async () => {
    setMissing(false);
    let hasLeft = false;
    const stop = onUserLeaves(() => (hasLeft = true));
    try {
      const loaded = await module.load();
      if (hasLeft) return;
      flushSync(() => setParts(() => loaded));
      // The button is a new element now; the menu returns the focus to it.
      document.getElementById(id)?.focus();
      setOpened(true);
    } catch {
      setMissing(true);
    } finally {
      stop();
    }
  };
  const prefetch = () => void module.load().catch(() => undefined);
  if (parts) {
    // A menu opens from its target by itself.
    const triggerProps = opens === 'dialog' ? { onClick: () => setOpened(!opened) } : {};
    return { parts, id, opened, setOpened, button: cloneElement(target, triggerProps) };
  }
  const button = (
    <>
      {cloneElement(target, {
        onClick: () => void open(),
        onPointerEnter: prefetch,
        onFocus: prefetch,
        'aria-haspopup': opens,
        'aria-expanded': false,
      })}
      {missing && <LazyModuleError layout="overlay" onRetry={() => void open()} />}
    </>
  );
  return { parts, id, opened, setOpened, button };
}
