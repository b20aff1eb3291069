import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListView, Where } from '#web/api/list-view.ts';
import { LazyFilterChips } from '#web/list-tools/lazy-filter-chips.tsx';
import { LazyFilterStrip } from '#web/list-tools/lazy-filter-strip.tsx';
import { listFields } from './list-columns.ts';
import { valuesInUse } from '#web/fields/values-in-use.queries.ts';

interface ActiveFilterProps {
  readonly archive: ArchiveDetail;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly onEdit: () => void;
}

/** The active conditions, while they are not being edited. */
export function ActiveFilter({ archive, ...props }: ActiveFilterProps) {
  const collection = { kind: 'archive', id: archive.table } as const;
  return <LazyFilterChips collection={collection} fields={listFields(archive)} {...props} />;
}

interface RevisionFilterProps {
  readonly archive: ArchiveDetail;
  /** the field whose condition gets the focus; undefined: none */
  readonly begin: string | undefined;
  readonly where: readonly Where[];
  readonly onFilter: (where: readonly Where[]) => void;
}

/** The conditions of the list's filter, by the fields of the archive. */
export function RevisionFilter({ archive, begin, where, onFilter }: RevisionFilterProps) {
  return (
    <LazyFilterStrip
      collection={{ kind: 'archive', id: archive.table }}
      fields={listFields(archive)}
      begin={begin}
      suggest={({ name }) => valuesInUse(archive.table, name)}
      where={where}
      onFilter={onFilter}
    />
  );
}
