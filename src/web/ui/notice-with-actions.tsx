import { Group } from '@mantine/core';
import { Button } from './button.tsx';

/** An action of a notice. */
export interface NotifyAction {
  readonly label: string;
  readonly onPress: () => void;
}

export interface Notice {
  readonly message: string;
  readonly actions: readonly NotifyAction[];
  readonly isFailure: boolean;
}

/** A notice with its actions. */
export function NoticeWithActions({ message, actions }: Omit<Notice, 'isFailure'>) {
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
