import * as texts from '#messages/archive-list.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { ListToolbar } from '#web/list-tools/list-toolbar.tsx';
import { columnFields } from './list-columns.ts';

interface RevisionToolbarProps {
  readonly archive: ArchiveDetail;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly filtering: boolean;
  readonly onFiltering: (open: boolean) => void;
}

/** Fields, filter, sort and search of the list, by the fields of the archive. */
export function RevisionToolbar({ archive, ...props }: RevisionToolbarProps) {
  return (
    <ListToolbar
      fields={columnFields(archive)}
      label={archive.name}
      initialOrder={texts.initialOrder}
      {...props}
    />
  );
}
