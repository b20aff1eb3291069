import * as texts from '#messages/copy.ts';
import { useState } from 'react';
import { Button } from './button.tsx';
import { notifyFailure } from './notify.ts';

interface CopyButtonProps {
  readonly text: string;
  /** has the focus when its dialog opens */
  readonly isFocused?: boolean;
}

/** Copies a text that is shown only once. */
export function CopyButton({ text, isFocused = false }: CopyButtonProps) {
  const [copiedText, setCopiedText] = useState<string | null>(null);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopiedText(text),
      () => notifyFailure(texts.notCopied),
    );
  // Browsers offer the clipboard only over https and on this computer.
  if (!('clipboard' in navigator)) return null;
  return (
    <Button variant="default" data-autofocus={isFocused || undefined} onClick={() => void copy()}>
      {copiedText === text ? texts.copied : texts.copy}
    </Button>
  );
}
