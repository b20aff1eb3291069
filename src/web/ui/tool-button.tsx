import type { ReactNode } from 'react';
import * as texts from '#messages/common.ts';
import { IconButton } from './button.tsx';
import { keyLabel } from './shortcuts.ts';

interface ToolButtonProps {
  readonly label: string;
  /** its shortcut, for the tooltip */
  readonly keys?: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button with an icon in the head of a form. */
export function ToolButton(props: ToolButtonProps) {
  const { label, keys, pressed, disabled = false, onClick, children } = props;
  return (
    <IconButton
      aria-label={label}
      title={keys ? texts.withKey({ label, key: keyLabel(keys) }) : label}
      aria-pressed={pressed}
      variant={pressed ? 'light' : 'subtle'}
      color={pressed ? 'accent' : 'gray'}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </IconButton>
  );
}
