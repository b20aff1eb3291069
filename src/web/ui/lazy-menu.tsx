import type { Menu as MantineMenu, MenuProps, PopoverProps } from '@mantine/core';
import {
  cloneElement,
  type MouseEventHandler,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type * as Floating from './floating.ts';
import { InLibrary, lazyUiModule } from './lazy-component.tsx';
import { LazyModuleError } from './lazy-module-error.tsx';

/** Menus and popovers of buttons. */
export const floating = lazyUiModule(() => import('./floating.ts'));

interface TargetProps {
  readonly onClick?: MouseEventHandler;
  readonly onPointerEnter?: () => void;
  readonly onFocus?: () => void;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-expanded'?: boolean;
}
/** A button without handlers of its own, which opens the menu or popover. */
type Target = ReactElement<TargetProps>;

interface LazyMenuProps extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  readonly children: (Menu: typeof MantineMenu) => ReactNode;
}

/** A menu whose code is loaded when the page is idle, or when the pointer or the focus is on its button. */
export function LazyMenu({ target, children, ...props }: LazyMenuProps) {
  const { Floating, id, button, opened, setOpened } = useTarget(target, 'menu');
  if (!Floating) return button;
  const { Menu } = Floating;
  return (
    <InLibrary>
      <Menu {...props} id={id} opened={opened} onChange={setOpened}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
      </Menu>
    </InLibrary>
  );
}

interface LazyPopoverProps extends Omit<PopoverProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  /** of the dropdown */
  readonly label: string;
  readonly className: string;
  readonly children: (parts: typeof Floating) => ReactNode;
}

/** The same for popovers below a button. */
export function LazyPopover({ target, label, className, children, ...props }: LazyPopoverProps) {
  const { Floating, id, button, opened, setOpened } = useTarget(target, 'dialog');
  if (!Floating) return button;
  const { Popover } = Floating;
  return (
    <InLibrary>
      <Popover {...props} id={id} opened={opened} onChange={setOpened}>
        <Popover.Target>{button}</Popover.Target>
        <Popover.Dropdown aria-label={label} className={className}>
          {children(Floating)}
        </Popover.Dropdown>
      </Popover>
    </InLibrary>
  );
}

function useTarget(target: Target, opens: 'menu' | 'dialog') {
  const id = useId();
  // A button that was rendered before the code was loaded stays until it is pressed: otherwise it would be replaced.
  const [Floating, setFloating] = useState(floating.loaded);
  const [opened, setOpened] = useState(false);
  const [missing, setMissing] = useState(false);
  const open = async () => {
    setMissing(false);
    try {
      const parts = await floating.load();
      flushSync(() => setFloating(parts));
      // The button is a new element now; the menu returns the focus to it.
      document.getElementById(id)?.focus();
      setOpened(true);
    } catch {
      setMissing(true);
    }
  };
  const prefetch = () => void floating.load().catch(() => undefined);
  if (Floating) {
    // A menu opens from its target by itself.
    const triggerProps = opens === 'dialog' ? { onClick: () => setOpened(!opened) } : {};
    return { Floating, id, opened, setOpened, button: cloneElement(target, triggerProps) };
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
  return { Floating, id, opened, setOpened, button };
}
