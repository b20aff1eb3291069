import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx';
import classes from './stepper.module.css';

interface StepperProps {
  readonly previous: Step;
  readonly next: Step;
  readonly onStep: (by: 1 | -1) => void;
  readonly size?: 22 | 28;
  /** the present position */
  readonly children: ReactNode;
}

interface Step {
  readonly label: string;
  readonly disabled: boolean;
  /** its tooltip, such as the keys that do the same */
  readonly title?: string;
}

/** A position in a sequence between the buttons that lead to the previous and the next one. */
export function Stepper({ previous, next, onStep, size = 28, children }: StepperProps) {
  const buttonProps = ({ label, ...rest }: Step) => ({ ...rest, size, 'aria-label': label });
  return (
    <span className={classes.stepper}>
      <IconButton {...buttonProps(previous)} onClick={() => onStep(-1)}>
        <ChevronLeftIcon size={15} />
      </IconButton>
      {children}
      <IconButton {...buttonProps(next)} onClick={() => onStep(1)}>
        <ChevronRightIcon size={15} />
      </IconButton>
    </span>
  );
}
