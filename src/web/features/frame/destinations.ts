import * as texts from '#messages/frame.ts';
import * as paletteTexts from '#messages/palette.ts';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { OpenQueue, View } from '#shared/contract/workspace-answers.ts';
import { fold } from '#shared/values/fold.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { type NamedCollection, namedCollections } from '#web/api/named-collections.ts';
import { queueText } from '#web/api/queues.queries.ts';
import type { AdministrationLink } from './administration-links.ts';

/** The commands that are available on every page. */
export type Command = 'overview' | 'light' | 'dark' | 'system' | 'sign-out';

const COMMANDS: readonly { readonly command: Command; readonly name: string }[] = [
  { command: 'overview', name: texts.overview },
  { command: 'light', name: texts.coloursLight },
  { command: 'dark', name: texts.coloursDark },
  { command: 'system', name: texts.coloursAsSystem },
  { command: 'sign-out', name: texts.signOut },
];

/** The destinations of the palette. */
export type Destination =
  | {
      readonly kind: 'archive';
      readonly archive: string;
      readonly name: string;
      readonly count: number;
    }
  | { readonly kind: 'table'; readonly guid: string; readonly name: string; readonly count: number }
  | {
      readonly kind: 'revision';
      readonly archive: string;
      readonly revisionId: string;
      /** the label of the archive */
      readonly of: string;
    }
  | {
      /** a revision found by the value of its first text field */
      readonly kind: 'value';
      readonly archive: string;
      readonly revisionId: string;
      /** the value */
      readonly name: string;
      /** of the archive */
      readonly of: string;
    }
  | {
      /** a record found by the value of its first text column */
      readonly kind: 'record';
      readonly guid: string;
      readonly jrid: string;
      /** the value */
      readonly name: string;
      /** of the table */
      readonly of: string;
    }
  | {
      readonly kind: 'view';
      readonly collection: CollectionRef;
      readonly viewId: string;
      readonly search: string;
      readonly name: string;
      /** of the archive or table */
      readonly of: string;
    }
  | {
      /** the figures of findings */
      readonly kind: 'figures';
      readonly collection: CollectionRef;
      readonly name: string;
    }
  | {
      /** a page of administrators */
      readonly kind: 'page';
      readonly to: AdministrationLink['to'];
      readonly Icon: AdministrationLink['Icon'];
      readonly name: string;
    }
  | {
      /** one field of an archive, next to the pages */
      readonly kind: 'review';
      readonly archive: string;
      readonly name: string;
    }
  | {
      /** the values of a text field */
      readonly kind: 'values';
      readonly collection: CollectionRef;
      readonly field: string;
      readonly name: string;
      /** of the archive or table */
      readonly of: string;
    }
  | { readonly kind: 'command'; readonly command: Command; readonly name: string }
  | {
      readonly kind: 'queue';
      readonly archive: string;
      readonly queueId: string;
      readonly name: string;
      /** of the archive */
      readonly of: string;
    };

/** A text field of the archive or table that is open. */
export interface FieldOfCollection {
  readonly collection: CollectionRef;
  readonly field: string;
  readonly label: string;
  /** of the archive or table */
  readonly of: string;
}

/** The saved views of an archive or table. */
export interface ViewsOfCollection extends NamedCollection {
  readonly views: readonly View[];
}

interface DestinationSources {
  readonly archives: readonly ArchiveSummary[];
  readonly tables: readonly TableSummary[];
  readonly queues?: readonly OpenQueue[];
  /** values of first fields that contain the typed text */
  readonly found?: readonly Destination[];
  readonly lists?: readonly ViewsOfCollection[];
  readonly pages?: readonly AdministrationLink[];
  /** text fields of the open list */
  readonly fields?: readonly FieldOfCollection[];
}

/**
 * The destinations for a typed text, best match first: a whole number is a revision in each archive; any text is
 * searched in the names, each word separately. Then come saved views with at least one of the words in their own name,
 * the values that were found, queues to resume, and commands; views and commands are offered only for a typed text.
 */
export function destinationsFor(typed: string, sources: DestinationSources): Destination[] {
  const {
    archives,
    tables,
    queues = [],
    found = [],
    lists = [],
    pages = [],
    fields = [],
  } = sources;
  const number = /^\s*#?\s*0*([1-9]\d{0,15})\s*$/.exec(typed)?.[1];
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const named = (...names: readonly string[]) => {
    const folded = fold(names.join(' '));
    return words.every((word) => folded.includes(word));
  };
  const collections = namedCollections(archives, tables);
  /** @param id the internal name of an archive, or the GUID of a table */
  const nameOf = (id: string) =>
    collections.find(({ collection }) => collection.id === id)?.name ?? id;
  return [
    ...(number === undefined
      ? []
      : archives.map(({ table }): Destination => ({
          kind: 'revision',
          archive: table,
          of: nameOf(table),
          revisionId: number,
        }))),
    ...archives
      .filter(({ name, table }) => named(name, table))
      .map(({ table, documents }): Destination => ({
        kind: 'archive',
        archive: table,
        name: nameOf(table),
        count: documents,
      })),
    ...tables
      .filter(({ label, name }) => named(label, name))
      .map(({ guid, datasets }): Destination => ({
        kind: 'table',
        guid,
        name: nameOf(guid),
        count: datasets,
      })),
    ...lists.flatMap(({ collection, name: of, views }) =>
      views
        .filter(({ name }) => named(name, of) && words.some((word) => fold(name).includes(word)))
        .map(({ viewId, name, search }): Destination => ({
          kind: 'view',
          collection,
          viewId,
          search,
          name,
          of,
        })),
    ),
    ...collections
      .filter(
        ({ name }) =>
          named(paletteTexts.figuresOf(name)) &&
          words.some((word) => word.length > 1 && fold(paletteTexts.figures).startsWith(word)),
      )
      .map(({ collection, name }): Destination => ({
        kind: 'figures',
        collection,
        name: paletteTexts.figuresOf(name),
      })),
    ...found,
    ...queues.flatMap(({ archive, queueId, ...queue }): Destination[] => {
      const of = nameOf(archive);
      const name = paletteTexts.resumeQueue(queueText(queue));
      return named(name, of) ? [{ kind: 'queue', archive, queueId, name, of }] : [];
    }),
    ...archives.flatMap(({ table, rights }): Destination[] => {
      const of = nameOf(table);
      const name = paletteTexts.reviewIn(of);
      const isMatch = words.length > 0 && rights !== 'read' && named(name);
      return isMatch && !named(of, table) ? [{ kind: 'review', archive: table, name }] : [];
    }),
    ...fields.flatMap(({ collection, field, label, of }): Destination[] => {
      const name = paletteTexts.cleanUpValues(label);
      const isMatch = words.length > 0 && named(name) && !named(label, of);
      return isMatch ? [{ kind: 'values', collection, field, name, of }] : [];
    }),
    ...pages
      .filter(({ name }) => words.length > 0 && named(name))
      .map((page): Destination => ({ kind: 'page', ...page })),
    ...COMMANDS.filter(({ name }) => words.length > 0 && named(name)).map(
      (command): Destination => ({ kind: 'command', ...command }),
    ),
  ];
}
