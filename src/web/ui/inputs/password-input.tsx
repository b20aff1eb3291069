import { useState } from 'react';
import { IconButton } from '../button.tsx';
import { HideIcon, ShowIcon } from '../icons.tsx';
import classes from './input.module.css';
import { TextInput, type TextInputProps } from './text-input.tsx';

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
