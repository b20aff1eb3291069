import { Link, useLocation } from '@tanstack/react-router';
import { useTitle } from '#web/ui/page.tsx';
import classes from './message-page.module.css';

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  useTitle('Not found');
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>There is no page at this address</h1>
      <p>
        <code className={classes.address}>{pathname}</code> may have been mistyped, or what it
        showed was renamed.
      </p>
      <p>
        <Link to="/" className={classes.link}>
          Go to the archives and tables
        </Link>
      </p>
    </main>
  );
}
