import type { ReactNode } from 'react';

export function Frame({ children }: { readonly children: ReactNode }) {
  return <main>{children}</main>;
}
