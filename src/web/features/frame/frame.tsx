import type { ReactNode } from 'react';

interface FrameProps {
  readonly onSignedOut: () => void;
  readonly children: ReactNode;
}

export function Frame({ children }: FrameProps) {
  return <main>{children}</main>;
}
