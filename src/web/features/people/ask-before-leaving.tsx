import { useBlocker } from '@tanstack/react-router';
import * as texts from '#messages/people.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const ConfirmDialog = lazyDialog(
  async () => (await import('#web/ui/confirm-dialog.tsx')).LocalConfirmDialog,
);

interface AskBeforeLeavingProps {
  /** whether the form has input that leaving would lose */
  readonly isUnsaved: boolean;
  /** for dialogs: those who add something go on to it, on the same page */
  readonly allowsSamePage?: boolean;
}

/** Asks before another page is opened over the input of a form; the browser asks before a reload and before it closes. */
export function AskBeforeLeaving({ isUnsaved, allowsSamePage = false }: AskBeforeLeavingProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: allowsSamePage ? isOtherPage : always,
    disabled: !isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={texts.leaveTitle}
      text={texts.leaveText}
      submit={texts.leaveWithoutSaving}
      onConfirm={() => proceed?.()}
    />
  );
}

const always = () => true;

interface Pages {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}

const isOtherPage = ({ current, next }: Pages) => current.pathname !== next.pathname;
