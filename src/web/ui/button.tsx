import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { useWriteBlock } from '#web/api/session.queries.ts';
import classes from './button.module.css';
import { Spinner } from './spinner.tsx';

interface NativeButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly ref?: Ref<HTMLButtonElement>;
  /** its action is in progress: it keeps the focus, and ignores further presses */
  readonly loading?: boolean;
  /** like `disabled`, but it keeps the focus if it has it */
  readonly 'aria-disabled'?: true | undefined;
  /** whether its action writes: it is disabled while an administrator sees as another user */
  readonly writes?: boolean;
  /** where a dialog puts the focus when it opens */
  readonly 'data-autofocus'?: boolean | undefined;
}

interface ButtonProps extends NativeButtonProps {
  /** `filled` for the most likely next action, `default` for other actions, `subtle` if there are many */
  readonly variant?: 'filled' | 'default' | 'light' | 'subtle';
  /** of `light` and `subtle`; `red` for actions that remove something */
  readonly color?: 'accent' | 'gray' | 'red';
  readonly size?: 'large' | 'normal' | 'compact-sm' | 'compact-xs';
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
}

/** A button. Not the component library's, so that no page needs the library at first. */
export function Button({
  variant = 'filled',
  color = 'accent',
  size = 'normal',
  leftSection,
  rightSection,
  children,
  ...rest
}: ButtonProps) {
  return (
    <NativeButton
      {...rest}
      kind="button"
      dataAttributes={{ 'data-variant': variant, 'data-color': color, 'data-size': size }}
      spinnerSize={size.startsWith('compact') ? 12 : 16}
    >
      {leftSection && <span className={classes.left}>{leftSection}</span>}
      <span className={classes.label}>{children}</span>
      {rightSection && <span className={classes.right}>{rightSection}</span>}
    </NativeButton>
  );
}

interface IconButtonProps extends NativeButtonProps {
  /** its name */
  readonly 'aria-label': string;
  readonly variant?: 'filled' | 'light' | 'subtle';
  readonly color?: 'accent' | 'gray';
  /** width and height in pixels */
  readonly size?: number;
}

/** A button that shows nothing but an icon. */
export function IconButton({
  variant = 'subtle',
  color = 'gray',
  size = 28,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <NativeButton
      {...rest}
      kind="icon"
      style={{ width: size, height: size }}
      dataAttributes={{ 'data-variant': variant, 'data-color': color }}
      spinnerSize={Math.round(size * 0.55)}
    >
      <span className={classes.label}>{children}</span>
    </NativeButton>
  );
}

interface PressStyle {
  readonly kind: 'button' | 'icon';
  readonly dataAttributes: Readonly<Record<`data-${string}`, string | number>>;
  readonly spinnerSize: number;
}

function NativeButton({
  kind,
  dataAttributes,
  spinnerSize,
  loading,
  writes = false,
  'aria-disabled': isDisabled = loading || undefined,
  title,
  className = '',
  onClick,
  children,
  ...rest
}: NativeButtonProps & PressStyle) {
  const block = useWriteBlock().title;
  const blocked = writes ? block : undefined;
  const isInactive = blocked ? true : isDisabled;
  return (
    <button
      type="button"
      {...rest}
      {...dataAttributes}
      className={`${classes.press} ${classes[kind]} ${className}`}
      title={blocked ?? title}
      // Not `disabled`, which would remove the focus from the pressed button.
      aria-disabled={isInactive}
      data-loading={loading || undefined}
      onClick={isInactive ? preventPress : onClick}
    >
      {children}
      {loading && (
        <span className={classes.busy}>
          <Spinner size={spinnerSize} />
        </span>
      )}
    </button>
  );
}

/** The press does not submit its form either, even by Enter in a field. */
function preventPress(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
