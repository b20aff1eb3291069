import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as texts from '#messages/designer.ts';
import { formatCount } from '#shared/messages/format.ts';
import type { CollectionSize } from '#shared/contract/system-answers.ts';
import { definitionLink } from '#web/api/list-link.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { ArchiveIcon, TableIcon } from '#web/ui/icons.tsx';
import { numberHeading, PlainTable } from '#web/ui/plain-table.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import { collectionSizesQuery, definitionsQuery } from './definitions.queries.ts';
import { useHasUnappliedDesign } from './use-unapplied-design.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

/** All archives and tables, also retired ones. */
export function DefinitionList() {
  const { data, error, refetch } = useQuery(definitionsQuery);
  const sizes = useQuery(collectionSizesQuery).data;
  const hasUnappliedDesign = useHasUnappliedDesign(data ?? []);
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.notRead} />;
  return (
    <PlainTable
      isStacked
      className={classes.table}
      headings={[
        texts.nameColumn,
        texts.kindColumn,
        numberHeading(texts.recordsColumn),
        numberHeading(texts.filesColumn),
        texts.changedColumn,
        numberHeading(texts.fieldsColumn),
        numberHeading(texts.versionColumn),
        texts.stateColumn,
      ]}
    >
      {data.map((definition) => (
        <DefinitionRow
          key={definition.guid}
          definition={definition}
          size={sizes?.get(definition.id)}
          hasUnapplied={hasUnappliedDesign(definition)}
        />
      ))}
    </PlainTable>
  );
}

interface DefinitionRowProps {
  readonly definition: CollectionDefinition;
  /** undefined while it is loading */
  readonly size: CollectionSize | undefined;
  /** whether changes were typed that are not applied */
  readonly hasUnapplied: boolean;
}

function DefinitionRow({ definition, size, hasUnapplied }: DefinitionRowProps) {
  const { kind, label, name, records, fields, version, retiredAt } = definition;
  const used = fields.filter((field) => field.retiredAt === null).length;
  return (
    <tr data-retired={retiredAt !== null || undefined}>
      <th scope="row" data-label={texts.nameColumn}>
        <div>
          {kind === 'archive' ? <ArchiveIcon size={15} /> : <TableIcon size={15} />}
          <Link {...definitionLink(definition)}>{label}</Link>
          <span className={shared.note}>{name}</span>
        </div>
      </th>
      <td data-label={texts.kindColumn}>{kind === 'archive' ? texts.archive : texts.table}</td>
      <td data-number data-label={texts.recordsColumn}>
        {formatCount(records)}
      </td>
      <td data-number data-label={texts.filesColumn}>
        {size?.fileBytes != null && byteSizeText(size.fileBytes)}
      </td>
      <td data-label={texts.changedColumn}>{size?.changedAt && localInstant(size.changedAt)}</td>
      <td data-number data-label={texts.fieldsColumn}>
        {formatCount(used)}
      </td>
      <td data-number data-label={texts.versionColumn}>
        {version}
      </td>
      <td data-label={texts.stateColumn}>
        <div>
          {retiredAt === null ? texts.inUse : texts.retired}
          {hasUnapplied && <span className={shared.detail}>{texts.hasUnapplied}</span>}
        </div>
      </td>
    </tr>
  );
}
