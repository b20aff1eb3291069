import type { ArchiveDetail } from '#shared/answers.ts';
import type { Where } from '#web/api/list-view.ts';
import { FilterStrip as FieldsFilterStrip } from '#web/ui/list-tools/filter-strip.tsx';
import { filterFields } from './list-columns.ts';
import { suggestValues } from './suggest-values.ts';

interface FilterStripProps {
  readonly archive: ArchiveDetail;
  readonly where: readonly Where[];
  readonly onFilter: (where: readonly Where[]) => void;
}

/** The conditions of the list's filter, by the fields of the archive. */
export function FilterStrip({ archive, where, onFilter }: FilterStripProps) {
  return (
    <FieldsFilterStrip
      fields={filterFields(archive)}
      suggest={({ name }) => suggestValues(archive.table, name)}
      where={where}
      onFilter={onFilter}
    />
  );
}
