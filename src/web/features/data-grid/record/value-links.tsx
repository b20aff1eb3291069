import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Column } from '#shared/rules/definitions.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { writeListView } from '#web/api/list-view.ts';
import { referencedDatasetsQuery } from '#web/fields/look-up.ts';
import { valueText } from '#web/fields/value-text.ts';
import { linksIn } from './links.ts';
import classes from './panel.module.css';
import * as texts from '#messages/records.ts';

interface ValueLinksProps {
  readonly column: Column;
  readonly value: Scalar;
}

/** Links from a value: addresses in its text, and the record of another table that it refers to. */
export function ValueLinks({ column, value }: ValueLinksProps) {
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
      {column.optionsFrom && <OtherRecord column={column} text={valueText(value) ?? ''} />}
    </p>
  );
}

interface OtherRecordProps {
  readonly column: Column;
  readonly text: string;
}

function OtherRecord({ column, text }: OtherRecordProps) {
  const query = referencedDatasetsQuery(column, text);
  const { data: named } = useQuery({ ...query, enabled: text !== '' });
  const [record] = named?.options ?? [];
  if (!named || !record) return null;
  return (
    <Link
      to="/tables/$guid"
      params={{ guid: named.guid }}
      search={writeListView({ selected: record.jrid })}
    >
      {texts.showIn(named.label)}
    </Link>
  );
}
