import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { shownCount } from '#web/api/reader.ts';

interface GoToRowProps {
  /** rows there are */
  readonly count: number;
  readonly onGo: (row: number) => void;
  readonly onClose: () => void;
}

/** Asks for the number of a row, counted from 1, and goes there. */
export function GoToRow({ count, onGo, onClose }: GoToRowProps) {
  const [typed, setTyped] = useState<number | string>('');
  const number = typeof typed === 'number' ? typed : null;
  const beyond = number !== null && (number < 1 || number > count);
  return (
    <NumberInput
      ref={takeKeyboard}
      aria-label="Go to row"
      placeholder={`Row 1 to ${shownCount(count)}`}
      hideControls
      allowDecimal={false}
      allowNegative={false}
      value={typed}
      onChange={setTyped}
      error={beyond}
      w={160}
      onBlur={onClose}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'Enter' && number !== null && !beyond) onGo(number - 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

function takeKeyboard(input: HTMLInputElement | null): void {
  input?.focus();
}
