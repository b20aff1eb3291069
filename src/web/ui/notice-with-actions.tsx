import { Group } from '@mantine/core';
import { Button } from './button.tsx';

/** Something that can be done about passing words. */
export interface NotifyAction {
  readonly label: string;
  readonly onPress: () => void;
}

interface NoticeWithActionsProps {
  readonly message: string;
  readonly actions: readonly NotifyAction[];
}

/** Passing words with what can be done about them. */
export function NoticeWithActions({ message, actions }: NoticeWithActionsProps) {
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
