import { decoded } from '#web/navigation/addresses.ts';
import { Link } from '#web/navigation/link.tsx';
import { useHere } from '#web/navigation/navigation.ts';
import { useHeading } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

/** Shown for an address without a page; the frame around it stays. */
export function NotFoundPage() {
  const path = useHere((here) => decoded(here.path));
  const heading = useHeading('Not found');
  return (
    <div className={classes.page}>
      <h1 {...heading} className={classes.title}>
        There is no page at this address
      </h1>
      <p>
        <code className={classes.address}>{path}</code> may have been mistyped, or what it showed
        was renamed.
      </p>
      <p>
        <Link to={{ page: 'start' }} className={classes.link}>
          Go to the overview
        </Link>
      </p>
    </div>
  );
}
