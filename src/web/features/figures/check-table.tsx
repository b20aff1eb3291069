import { Link } from '@tanstack/react-router';
import * as texts from '#messages/figures.ts';
import type { Figures } from '#shared/contract/check-figures.ts';
import { formatCount } from '#shared/messages/format.ts';
import { listLink } from '#web/api/list-link.ts';
import { writeListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import shared from '#web/ui/shared.module.css';
import table from '#web/ui/plain-table.module.css';
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
    <div className={table.card}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.check}</th>
            <th scope="col" className={classes.number}>
              {texts.findings}
            </th>
            <th scope="col" className={classes.number}>
              {texts.corrected}
            </th>
            <th scope="col" className={classes.number}>
              {texts.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ name, label, severity, count, corrected }) => (
            <tr key={name}>
              <th scope="row">
                {label}
                {severity === 'block' && <span className={shared.detail}>{texts.blocks}</span>}
              </th>
              <td className={classes.number}>
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
              <td
                className={classes.number}
                title={corrected === null ? texts.partHidden : undefined}
              >
                {corrected === null ? texts.none : formatCount(corrected)}
              </td>
              <td className={classes.number}>
                {corrected === null || count === null || corrected + count === 0
                  ? texts.none
                  : texts.percent(corrected / (corrected + count))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
