import { Link } from '@tanstack/react-router';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { listLink } from '#web/api/list-link.ts';
import type { RawSearch } from '#web/api/list-view.ts';
import buttonClasses from '#web/ui/button.module.css';
import classes from './list-link-button.module.css';

interface ListLinkButtonProps {
  readonly collection: CollectionRef;
  /** of `writeListView` */
  readonly search?: RawSearch;
  readonly children: string;
}

/** A link to the list of an archive or table that looks like the buttons next to it. */
export function ListLinkButton({ collection, search = {}, children }: ListLinkButtonProps) {
  return (
    <Link
      {...listLink(collection, search)}
      className={`${buttonClasses.press} ${buttonClasses.button} ${classes.link}`}
      data-variant="subtle"
      data-color="gray"
      data-size="normal"
    >
      <span className={buttonClasses.label}>{children}</span>
    </Link>
  );
}
