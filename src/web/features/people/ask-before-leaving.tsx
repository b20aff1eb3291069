import { useBlocker } from '@tanstack/react-router';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const LeaveDialog = lazyDialog(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

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
    <LeaveDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  );
}

const always = () => true;

interface Pages {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}

const isOtherPage = ({ current, next }: Pages) => current.pathname !== next.pathname;
