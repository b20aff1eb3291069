import { type ComponentProps, useState } from 'react';
import { ProblemTray } from '../lazy-components.ts';

/** Once something could not be saved the tray stays mounted: a user who has opened it needs later additions. */
export function StickyProblemTray(props: ComponentProps<typeof ProblemTray>) {
  const [isMounted, setMounted] = useState(false);
  if (!isMounted && props.problems.problems.length > 0) setMounted(true);
  return isMounted && <ProblemTray {...props} />;
}
