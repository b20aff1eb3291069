import * as texts from '#messages/audit.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { ButtonAnchor } from '#web/ui/button-link.tsx';
import { queryOf, type AuditSearch } from './audit-address.ts';

const FORMATS = [
  { format: 'csv', label: texts.exportCsv },
  { format: 'jsonl', label: texts.exportJsonl },
] as const;

/** Saves all entries that match the filter as a file; the browser downloads it itself, whatever its size. */
export function ExportLinks({ filter }: { readonly filter: AuditSearch }) {
  return FORMATS.map(({ format, label }) => {
    const query = queryOf(filter);
    query.set('format', format);
    return (
      <ButtonAnchor
        key={format}
        href={`${administrationPaths.audit()}?${query}`}
        download=""
        title={texts.exportHint}
      >
        {label}
      </ButtonAnchor>
    );
  });
}
