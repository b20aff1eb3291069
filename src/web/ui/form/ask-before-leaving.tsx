import { useBlocker } from '@tanstack/react-router';
import * as texts from '#messages/common.ts';
import { lazyDialog } from '../lazy-component.tsx';
import { useUnsavedInput } from './unsaved-input.ts';

const ConfirmDialog = lazyDialog(
  async () => (await import('#web/ui/confirm-dialog.tsx')).LocalConfirmDialog,
);

interface AskBeforeLeavingProps {
  /** whether the form has input that leaving would lose */
  readonly isUnsaved: boolean;
  /** what would be lost; by default the changes in a form */
  readonly text?: string;
  /** for dialogs: those who add something go on to it, on the same page */
  readonly allowsSamePage?: boolean;
}

/** Asks before another page is opened over the input of a form; the browser asks before a reload and before it closes. */
export function AskBeforeLeaving({
  isUnsaved,
  text = texts.leaveText,
  allowsSamePage = false,
}: AskBeforeLeavingProps) {
  useUnsavedInput(isUnsaved);
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
      text={text}
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
