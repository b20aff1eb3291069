import { decoded } from '#web/navigation/addresses.ts';
import { Link } from '#web/navigation/link.tsx';
import { useHere } from '#web/navigation/navigation.ts';
import { useTitle } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

/** An address that leads nowhere. */
export function NotFoundPage() {
  const path = useHere((here) => decoded(here.path));
  useTitle('Not found');
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>There is no page at this address</h1>
      <p>
        <code className={classes.address}>{path}</code> may have been mistyped, or what it showed
        was renamed.
      </p>
      <p>
        <Link to={{ page: 'start' }} className={classes.link}>
          Go to the archives and tables
        </Link>
      </p>
    </main>
  );
}
