import * as texts from '#messages/account.ts';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Copies a text that is shown only once. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  // Browsers offer the clipboard only over https and on this computer.
  if (!('clipboard' in navigator)) return null;
  return (
    <Button variant="default" onClick={() => void copy()}>
      {isCopied ? texts.copied : texts.copy}
    </Button>
  );
}
