import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Column } from '#shared/rules/definitions.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/values.ts';
import { writeListView } from '#web/api/list-view.ts';
import { linksIn } from './links.ts';
import { otherRecordQuery } from './other-record.queries.ts';
import classes from './panel.module.css';
import * as texts from '#messages/records.ts';

interface ValueLinksProps {
  readonly guid: string;
  readonly column: Column;
  readonly value: Scalar;
}

/** Links from a value: addresses in its text, and the record of another table that it refers to. */
export function ValueLinks({ guid, column, value }: ValueLinksProps) {
  const links = isText(column) && typeof value === 'string' ? linksIn(value) : [];
  if (links.length === 0 && !column.optionsFrom) return null;
  return (
    <p className={classes.links}>
      {links.map(({ href, text, kind }) => (
        <a
          key={href}
          href={href}
          rel="noopener noreferrer"
          {...(kind === 'web' ? { target: '_blank' } : {})}
          title={href}
        >
          {kind === 'web' ? texts.open(text) : texts.writeTo(text)}
        </a>
      ))}
      {column.optionsFrom && <OtherRecord guid={guid} from={column.optionsFrom} value={value} />}
    </p>
  );
}

interface OtherRecordProps {
  readonly guid: string;
  readonly from: NonNullable<Column['optionsFrom']>;
  readonly value: Scalar;
}

function OtherRecord({ guid, from, value }: OtherRecordProps) {
  const { data: other } = useQuery(otherRecordQuery(guid, from, value));
  if (!other) return null;
  return (
    <Link
      to="/tables/$guid"
      params={{ guid: other.guid }}
      search={writeListView({ selected: other.jrid })}
    >
      {texts.showIn(other.label)}
    </Link>
  );
}
