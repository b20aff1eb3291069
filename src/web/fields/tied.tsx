import { InputWrapperContext } from '@mantine/core';
import { type ReactNode, use } from 'react';
import type { ControlProps } from '#web/ui/field.tsx';

/** The properties that tie an input of the component library to label and messages outside of it. */
export function tied(control: ControlProps | undefined) {
  return {
    ...control,
    error: control?.['aria-invalid'],
    inputContainer: (input: ReactNode) => (
      <Described by={control?.['aria-describedby']}>{input}</Described>
    ),
  };
}

interface DescribedProps {
  readonly by: string | undefined;
  readonly children: ReactNode;
}

/** The library lets an input be described by the messages alone that it renders itself. */
function Described({ by, children }: DescribedProps) {
  const wrapper = use(InputWrapperContext);
  return (
    <InputWrapperContext value={{ ...wrapper, describedBy: by }}>{children}</InputWrapperContext>
  );
}
