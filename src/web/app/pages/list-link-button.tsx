import type { CollectionRef } from '#web/api/api-paths.ts';
import { listLink } from '#web/api/list-link.ts';
import type { RawSearch } from '#web/api/list-view.ts';
import { ButtonLink } from '#web/ui/button-link.tsx';

interface ListLinkButtonProps {
  readonly collection: CollectionRef;
  /** of `writeListView` */
  readonly search?: RawSearch;
  readonly children: string;
}

/** A link to the list of an archive or table that looks like the buttons next to it. */
export function ListLinkButton({ collection, search = {}, children }: ListLinkButtonProps) {
  return (
    <ButtonLink {...listLink(collection, search)} variant="subtle">
      {children}
    </ButtonLink>
  );
}
