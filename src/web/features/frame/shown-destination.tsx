import type { ReactNode } from 'react';
import * as administrationTexts from '#messages/administration.ts';
import * as texts from '#messages/palette.ts';
import {
  ArchiveIcon,
  DocumentIcon,
  FilterIcon,
  GoOnIcon,
  TableIcon,
  WarningIcon,
} from '#web/ui/icons.tsx';
import type { Destination } from './destinations.ts';
import classes from './palette.module.css';

/** A destination in the list: its icon, its name, and what it is. */
export function ShownDestination({ destination }: { readonly destination: Destination }) {
  switch (destination.kind) {
    case 'archive':
      return (
        <Line
          icon={<ArchiveIcon />}
          name={destination.name}
          aside={texts.archiveWith(destination.count)}
        />
      );
    case 'table':
      return (
        <Line
          icon={<TableIcon />}
          name={destination.name}
          aside={texts.tableWith(destination.count)}
        />
      );
    case 'revision':
      return (
        <Line
          icon={<DocumentIcon />}
          name={texts.openRevision({
            revisionId: destination.revisionId,
            of: destination.of,
          })}
          aside=""
        />
      );
    case 'value':
    case 'record':
      return (
        <Line
          icon={<DocumentIcon />}
          name={destination.name}
          aside={
            destination.kind === 'value'
              ? texts.revisionIn({ revisionId: destination.revisionId, of: destination.of })
              : texts.recordIn(destination.of)
          }
        />
      );
    case 'view':
      return (
        <Line icon={<FilterIcon />} name={destination.name} aside={texts.viewOf(destination.of)} />
      );
    case 'figures':
      return <Line icon={<WarningIcon />} name={destination.name} aside="" />;
    case 'values':
      return <Line icon={<FilterIcon />} name={destination.name} aside={destination.of} />;
    case 'page':
      return (
        <Line
          icon={<destination.Icon />}
          name={destination.name}
          aside={administrationTexts.administration}
        />
      );
    case 'review':
      return <Line icon={<DocumentIcon />} name={destination.name} aside={texts.command} />;
    case 'command':
      return <Line icon={<GoOnIcon />} name={destination.name} aside={texts.command} />;
    case 'queue':
      return <Line icon={<GoOnIcon />} name={destination.name} aside={destination.of} />;
    default:
      return destination satisfies never;
  }
}

function Line(props: { readonly icon: ReactNode; readonly name: string; readonly aside: string }) {
  return (
    <>
      {props.icon}
      <span className={classes.name}>{props.name}</span>
      <span className={classes.aside}>{props.aside}</span>
    </>
  );
}

/** A unique key of a destination. */
export function keyOf(destination: Destination): string {
  switch (destination.kind) {
    case 'table':
      return `table ${destination.guid}`;
    case 'queue':
      return `queue ${destination.queueId}`;
    case 'value':
      return `value ${destination.archive} ${destination.revisionId}`;
    case 'record':
      return `record ${destination.guid} ${destination.jrid}`;
    case 'view':
      return `view ${destination.collection.id} ${destination.viewId}`;
    case 'figures':
      return `figures ${destination.collection.kind} ${destination.collection.id}`;
    case 'values':
      return `values ${destination.collection.id} ${destination.field}`;
    case 'page':
      return `page ${destination.to}`;
    case 'command':
      return `command ${destination.command}`;
    default:
      return `${destination.kind} ${destination.archive}`;
  }
}
