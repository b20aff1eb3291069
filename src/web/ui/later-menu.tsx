import type { Menu as MantineMenu, MenuProps, PopoverProps } from '@mantine/core';
import {
  cloneElement,
  type MouseEventHandler,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { laterPart, usePart } from './later.tsx';
import { PartMissing } from './part-missing.tsx';

const floating = laterPart(() => import('./floating.ts'));

interface TargetProps {
  readonly onClick?: MouseEventHandler;
  readonly onPointerEnter?: () => void;
  readonly onFocus?: () => void;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-expanded'?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}
/** A button without handlers of its own: it opens what belongs to it. */
type Target = ReactElement<TargetProps>;

interface LaterMenuProps extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  readonly children: (Menu: typeof MantineMenu) => ReactNode;
}

/** A menu whose code is fetched when the page stands, or when somebody goes for its button. */
export function LaterMenu({ target, children, ...props }: LaterMenuProps) {
  const { Floating, button, opened, setOpened } = useTarget(target, 'menu');
  if (!Floating) return button;
  const { Menu } = Floating;
  return (
    <Menu {...props} opened={opened} onChange={setOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}

interface LaterPopoverProps extends Omit<PopoverProps, 'children' | 'opened' | 'onChange'> {
  readonly target: Target;
  /** of what opens */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The same for other things that open below a button. */
export function LaterPopover({
  target,
  label,
  className = '',
  children,
  ...props
}: LaterPopoverProps) {
  const { Floating, button, opened, setOpened } = useTarget(target, 'dialog');
  if (!Floating) return button;
  const { Popover } = Floating;
  return (
    <Popover {...props} opened={opened} onChange={setOpened}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={label} className={className}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

function useTarget(target: Target, opens: 'menu' | 'dialog') {
  // What stands before it comes stays as it is until somebody wants it: the button would be made anew.
  const [Standing, setStanding] = useState(floating.here);
  const [asked, setAsked] = useState(false);
  const [opened, setOpened] = useState(false);
  const [loaded, again] = usePart(floating, asked);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asked && loaded) setStanding(loaded);
  }, [asked, loaded]);
  useEffect(() => {
    if (!asked || !Standing) return;
    // It is another element now, and the cursor is to return to it.
    button.current?.focus();
    setAsked(false);
    setOpened(true);
  }, [asked, Standing]);
  const fetch = () => void floating.fetch().catch(() => undefined);
  return {
    Floating: Standing,
    opened,
    setOpened,
    button: Standing ? (
      cloneElement(target, {
        ref: button,
        // A menu's target has its own.
        ...(opens === 'dialog' ? { onClick: () => setOpened(!opened) } : {}),
      })
    ) : (
      <>
        {cloneElement(target, {
          ref: button,
          onClick: () => setAsked(true),
          onPointerEnter: fetch,
          onFocus: fetch,
          'aria-haspopup': opens,
          'aria-expanded': false,
        })}
        {again && <PartMissing place="over" onAgain={again} />}
      </>
    ),
  };
}
