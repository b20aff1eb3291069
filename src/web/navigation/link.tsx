import type { MouseEvent, ReactNode } from 'react';
import { type Destination, writeAddress } from './addresses.ts';
import { type Here, useHere, useNavigation } from './navigation.ts';

interface LinkProps {
  readonly to: Destination;
  readonly className?: string | undefined;
  /** its name where its text alone does not say where it leads; it begins with that text */
  readonly label?: string;
  readonly children: ReactNode;
}

/** Leads to a page, which begins to come as soon as the pointer or the cursor is there. */
export function Link({ to, className, label, children }: LinkProps) {
  const navigation = useNavigation();
  const href = writeAddress(to);
  const current = useHere((here) => isAt(here, href));
  const prepare = () => navigation.prepare(to);
  const follow = (event: MouseEvent) => {
    // Other windows and tabs are the browser's affair.
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    navigation.go(to);
  };
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
      onMouseEnter={prepare}
      onFocus={prepare}
      onTouchStart={prepare}
    >
      {children}
    </a>
  );
}

/** Whether one is at a link's page, or at one below it: a queue belongs to its archive. */
function isAt(here: Here, href: string): boolean {
  return here.path === href || (href !== '/' && here.path.startsWith(`${href}/`));
}
