import { useState } from 'react';
import { IconButton } from '../button.tsx';
import { drawIcon } from '../icons.tsx';
import classes from './input.module.css';
import { TextInput, type TextInputProps } from './text-input.tsx';

const ShowIcon = drawIcon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>,
);
const HideIcon = drawIcon(
  <path d="M4 4l16 16M9.5 5.9A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.300 7.2A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.5-1.2M10 10a3 3 0 0 0 4 4" />,
);

interface PasswordInputProps extends TextInputProps {
  /** the name of the button that shows what is typed */
  readonly showLabel: string;
}

/** A password, with a button that shows it as text. */
export function PasswordInput({ showLabel, ...rest }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={classes.password}>
      <TextInput {...rest} type={isShown ? 'text' : 'password'} />
      <IconButton
        className={classes.reveal ?? ''}
        size={26}
        tabIndex={-1}
        aria-label={showLabel}
        aria-pressed={isShown}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? <HideIcon /> : <ShowIcon />}
      </IconButton>
    </div>
  );
}
