import { Group } from '@mantine/core';
import { Button } from './button.tsx';
import type { Reasons } from './reason-list.tsx';

/** An action of a notice. */
export interface NotifyAction {
  readonly label: string;
  readonly onPress: () => void;
}

export interface Notice {
  readonly message: string;
  readonly actions: readonly NotifyAction[];
  readonly isFailure: boolean;
  /** null: it has no list of reasons */
  readonly reasons: Reasons | null;
}

/** A notice with its actions. */
export function NoticeWithActions({ message, actions }: Pick<Notice, 'message' | 'actions'>) {
  return (
    <>
      <div>{message}</div>
      <Group gap={6} mt={6}>
        {actions.map(({ label, onPress }) => (
          <Button key={label} variant="default" size="compact-xs" onClick={onPress}>
            {label}
          </Button>
        ))}
      </Group>
    </>
  );
}
