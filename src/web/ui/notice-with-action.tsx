import { Button } from '@mantine/core';

interface NoticeWithActionProps {
  readonly message: string;
  readonly label: string;
  readonly onPress: () => void;
}

/** Passing words with something that can be done about them. */
export function NoticeWithAction({ message, label, onPress }: NoticeWithActionProps) {
  return (
    <>
      <div>{message}</div>
      <Button variant="default" size="compact-xs" mt={6} onClick={onPress}>
        {label}
      </Button>
    </>
  );
}
