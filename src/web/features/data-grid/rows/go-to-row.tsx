import { useState } from 'react';
import * as texts from '#messages/tables.ts';
import { focusFirst } from '#web/ui/focus-first.ts';
import { TextInput } from '#web/ui/inputs/text-input.tsx';

interface GoToRowProps {
  /** rows there are */
  readonly count: number;
  readonly onGo: (row: number) => void;
  readonly onClose: () => void;
}

/**
 * Asks for a row number, counted from 1, and scrolls there. Not based on the form shell: the user types right after its
 * key, so its code is loaded with the page, and the shell with its schemas is too large for that.
 */
export function GoToRow({ count, onGo, onClose }: GoToRowProps) {
  const [digits, setDigits] = useState('');
  const row = Number(digits);
  const isRow = row >= 1 && row <= count;
  return (
    <TextInput
      ref={focusFirst}
      aria-label={texts.goToRow}
      placeholder={texts.rowsToGoTo(count)}
      inputMode="numeric"
      value={digits}
      // A pasted number may contain thousands separators.
      onChange={({ currentTarget }) => setDigits(currentTarget.value.replaceAll(/\D/g, ''))}
      style={{ width: 'min(160px, 32vw)' }}
      aria-invalid={digits !== '' && !isRow}
      onBlur={onClose}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'Enter' && isRow) onGo(row - 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
