import { Link } from '@tanstack/react-router';
import * as texts from '#messages/figures.ts';
import type { Figures } from '#shared/contract/check-figures.ts';
import { formatCount } from '#shared/messages/format.ts';
import { listLink } from '#web/api/list-link.ts';
import { writeListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import shared from '#web/ui/shared.module.css';
import { numberHeading, PlainTable } from '#web/ui/plain-table.tsx';
import classes from './figures.module.css';

interface CheckTableProps {
  readonly collection: CollectionRef;
  /** the name of findings in filters of the list */
  readonly filter: string;
  readonly checks: Figures['checks'];
}

/** The checks with their findings and corrections, those with findings first. */
export function CheckTable({ collection, filter, checks }: CheckTableProps) {
  const sorted = checks.toSorted(
    (a, b) => (b.count ?? 0) - (a.count ?? 0) || (b.corrected ?? 0) - (a.corrected ?? 0),
  );
  return (
    <PlainTable
      className={classes.numbers}
      headings={[
        texts.check,
        numberHeading(texts.findings),
        numberHeading(texts.corrected),
        numberHeading(texts.share),
      ]}
    >
      {sorted.map(({ name, label, severity, count, corrected }) => (
        <tr key={name}>
          <th scope="row">
            {label}
            {severity === 'block' && <span className={shared.detail}>{texts.blocks}</span>}
          </th>
          <td data-number>
            {count === null && texts.beingCounted}
            {count === 0 && formatCount(0)}
            {count !== null && count > 0 && (
              <Link
                {...listLink(
                  collection,
                  writeListView({ where: [{ field: filter, op: 'eq', value: name }] }),
                )}
                title={texts.examples(label)}
              >
                {formatCount(count)}
              </Link>
            )}
          </td>
          <td data-number title={corrected === null ? texts.partHidden : undefined}>
            {corrected === null ? texts.none : formatCount(corrected)}
          </td>
          <td data-number>
            {corrected === null || count === null || corrected + count === 0
              ? texts.none
              : texts.percent(corrected / (corrected + count))}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
