import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import * as texts from '#messages/unsaved-input.ts';
import { lazyDialog } from '../lazy-component.tsx';
import { hasUnsavedInput, useUnsavedInput } from './unsaved-input.ts';

const ConfirmDialog = lazyDialog(
  async () => (await import('#web/ui/confirm-dialog.tsx')).LocalConfirmDialog,
);

interface UnsavedChangesGuardProps {
  /** whether the form has input that leaving would lose */
  readonly isUnsaved: boolean;
  /** what would be lost; by default the changes in a form */
  readonly text?: string;
  /** for dialogs: those who add something go on to it, on the same page */
  readonly allowsSamePage?: boolean;
}

/** Asks before another page is opened over the input of a form; the browser asks before a reload and before it closes. */
export function UnsavedChangesGuard({
  isUnsaved,
  text = texts.leaveText,
  allowsSamePage = false,
}: UnsavedChangesGuardProps) {
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

interface ConfirmDiscard {
  /** Does something at once, or once the user has confirmed it where it loses input: by default that of any form. */
  readonly confirmDiscard: (act: () => void, losesInput?: boolean) => void;
  readonly isAsking: boolean;
  /** is to be rendered */
  readonly question: ReactNode;
}

/** Asks before something on the same page discards input. @param text what would be lost */
export function useConfirmDiscard(text: string): ConfirmDiscard {
  const [pendingAction, setPendingAction] = useState<{ readonly act: () => void } | null>(null);
  return {
    confirmDiscard: (act, losesInput = hasUnsavedInput()) => {
      if (losesInput) setPendingAction({ act });
      else act();
    },
    isAsking: pendingAction !== null,
    question: (
      <ConfirmDialog
        opened={pendingAction !== null}
        onClose={() => setPendingAction(null)}
        title={texts.discardTitle}
        text={text}
        submit={texts.discard}
        onConfirm={() => {
          setPendingAction(null);
          pendingAction?.act();
        }}
      />
    ),
  };
}
