import { useState } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import classes from '#web/fields/fields.module.css';

interface GoToRowProps {
  /** rows there are */
  readonly count: number;
  readonly onGo: (row: number) => void;
  readonly onClose: () => void;
}

/** Asks for the number of a row, counted from 1, and goes there. */
export function GoToRow({ count, onGo, onClose }: GoToRowProps) {
  const [digits, setDigits] = useState('');
  const number = digits === '' ? null : Number(digits);
  const beyond = number !== null && (number < 1 || number > count);
  return (
    <input
      ref={takeKeyboard}
      aria-label="Go to row"
      placeholder={`Row 1 to ${formatCount(count)}`}
      inputMode="numeric"
      value={digits}
      // A number may be pasted as it is shown elsewhere, with its groups apart.
      onChange={({ currentTarget }) => setDigits(currentTarget.value.replaceAll(/\D/g, ''))}
      className={classes.box}
      style={{ width: 'min(160px, 32vw)' }}
      aria-invalid={beyond}
      autoComplete="off"
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
