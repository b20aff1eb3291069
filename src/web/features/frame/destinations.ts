import { linkOptions } from '@tanstack/react-router';
import * as administrationTexts from '#messages/administration.ts';
import * as texts from '#messages/frame.ts';
import * as paletteTexts from '#messages/palette.ts';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import type { OpenQueue, View } from '#shared/contract/workspace-answers.ts';
import { fold } from '#shared/values/fold.ts';
import { parseSearch } from '#web/api/address-search.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { figuresLink, listLink, valuesLink } from '#web/api/list-link.ts';
import { readListView, writeListView } from '#web/api/list-view.ts';
import { type NamedCollection, namedCollections } from '#web/api/named-collections.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { reviewLink } from '#web/api/review-link.ts';
import type { ColourScheme } from '#web/ui/colour-scheme.ts';
import {
  ArchiveIcon,
  DocumentIcon,
  FilterIcon,
  GoOnIcon,
  TableIcon,
  WarningIcon,
} from '#web/ui/icons.tsx';
import type { AdministrationLink } from './administration-links.ts';

/** A command that is available on every page: signing out, or the colours. */
type Command = 'sign-out' | ColourScheme;

const COMMANDS: readonly { readonly command: Command; readonly name: string }[] = [
  { command: 'light', name: texts.coloursLight },
  { command: 'dark', name: texts.coloursDark },
  { command: 'auto', name: texts.coloursAsSystem },
  { command: 'sign-out', name: texts.signOut },
];

const overviewLink = () => linkOptions({ to: '/' });
const pageLink = ({ to }: AdministrationLink) => linkOptions({ to });
const revisionLink = (archive: string, revisionId: string) =>
  linkOptions({
    to: '/archives/$archive',
    params: { archive },
    search: writeListView({ selected: revisionId }),
    state: { focusForm: true },
  });
const queueLink = (archive: string, queueId: string) =>
  linkOptions({ to: '/archives/$archive/queue/$queueId', params: { archive, queueId } });

/** The options of a navigation to a destination. */
type Link = ReturnType<
  | typeof overviewLink
  | typeof pageLink
  | typeof revisionLink
  | typeof queueLink
  | typeof listLink
  | typeof figuresLink
  | typeof valuesLink
  | typeof reviewLink
>;

/** A destination of the palette: a page that it opens, or a command that it runs. */
export interface Destination {
  /** unique among the destinations; its first word is the kind of the destination */
  readonly key: string;
  readonly Icon: typeof ArchiveIcon;
  readonly name: string;
  /** what it is, or where; '' if the name says it */
  readonly aside: string;
  readonly target: { readonly link: Link } | { readonly command: Command };
}

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
  readonly queues: readonly OpenQueue[];
  /** values of first fields that contain the typed text */
  readonly found: readonly Destination[];
  readonly lists: readonly ViewsOfCollection[];
  readonly pages: readonly AdministrationLink[];
  /** text fields of the open list */
  readonly fields: readonly FieldOfCollection[];
}

/** A revision found by the value of its first text field. @param of the name of the archive */
export function foundRevision(
  archive: string,
  revisionId: string,
  value: string,
  of: string,
): Destination {
  return {
    key: `value ${archive} ${revisionId}`,
    Icon: DocumentIcon,
    name: value,
    aside: paletteTexts.revisionIn({ revisionId, of }),
    target: { link: revisionLink(archive, revisionId) },
  };
}

/** A record found by the value of its first text column. @param of the label of the table */
export function foundRecord(guid: string, jrid: string, value: string, of: string): Destination {
  return {
    key: `record ${guid} ${jrid}`,
    Icon: DocumentIcon,
    name: value,
    aside: paletteTexts.recordIn(of),
    target: { link: listLink({ kind: 'table', id: guid }, writeListView({ selected: jrid })) },
  };
}

/**
 * The destinations for a typed text, best match first: a whole number is a revision in each archive; any text is
 * searched in the names, each word separately. Then come saved views with at least one of the words in their own name,
 * the values that were found, queues to resume, and commands; views and commands are offered only for a typed text.
 */
export function destinationsFor(typed: string, sources: DestinationSources): Destination[] {
  const { archives, tables, queues, found, lists, pages, fields } = sources;
  const number = /^\s*#?\s*0*([1-9]\d{0,15})\s*$/.exec(typed)?.[1];
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const named = (...names: readonly string[]) => {
    const folded = fold(names.join(' '));
    return words.every((word) => folded.includes(word));
  };
  const isTyped = words.length > 0;
  const collections = namedCollections(archives, tables);
  /** @param id the internal name of an archive, or the GUID of a table */
  const nameOf = (id: string) =>
    collections.find(({ collection }) => collection.id === id)?.name ?? id;

  const revisions = archives.flatMap(({ table }): Destination[] => {
    if (number === undefined) return [];
    const name = paletteTexts.openRevision({ revisionId: number, of: nameOf(table) });
    const target = { link: revisionLink(table, number) };
    return [{ key: `revision ${table}`, Icon: DocumentIcon, name, aside: '', target }];
  });
  const ofArchives = archives
    .filter(({ name, table }) => named(name, table))
    .map(({ table, documents }) => ({
      key: `archive ${table}`,
      Icon: ArchiveIcon,
      name: nameOf(table),
      aside: paletteTexts.archiveWith(documents),
      target: { link: listLink({ kind: 'archive', id: table }) },
    }));
  const ofTables = tables
    .filter(({ label, name }) => named(label, name))
    .map(({ guid, datasets }) => ({
      key: `table ${guid}`,
      Icon: TableIcon,
      name: nameOf(guid),
      aside: paletteTexts.tableWith(datasets),
      target: { link: listLink({ kind: 'table', id: guid }) },
    }));
  const ofViews = lists.flatMap(({ collection, name: of, views }) =>
    views
      .filter(({ name }) => named(name, of) && words.some((word) => fold(name).includes(word)))
      .map(({ viewId, name, search }) => {
        const view = writeListView({ ...readListView(parseSearch(search)), view: viewId });
        return {
          key: `view ${collection.id} ${viewId}`,
          Icon: FilterIcon,
          name,
          aside: paletteTexts.viewOf(of),
          target: { link: listLink(collection, view) },
        };
      }),
  );
  const ofFigures = collections.flatMap(({ collection, name: of }): Destination[] => {
    const name = paletteTexts.figuresOf(of);
    const isOwnWord = (word: string) =>
      word.length > 1 && fold(paletteTexts.figures).startsWith(word);
    if (!named(name) || !words.some(isOwnWord)) return [];
    const key = `figures ${collection.kind} ${collection.id}`;
    return [{ key, Icon: WarningIcon, name, aside: '', target: { link: figuresLink(collection) } }];
  });
  const ofQueues = queues.flatMap(({ archive, queueId, ...queue }): Destination[] => {
    const aside = nameOf(archive);
    const name = paletteTexts.resumeQueue(queueText(queue));
    const target = { link: queueLink(archive, queueId) };
    return named(name, aside)
      ? [{ key: `queue ${queueId}`, Icon: GoOnIcon, name, aside, target }]
      : [];
  });
  const ofReviews = archives.flatMap(({ table, rights }): Destination[] => {
    const of = nameOf(table);
    const name = paletteTexts.reviewIn(of);
    if (!isTyped || rights === 'read' || !named(name) || named(of, table)) return [];
    const target = { link: reviewLink(table, null) };
    const aside = paletteTexts.command;
    return [{ key: `review ${table}`, Icon: DocumentIcon, name, aside, target }];
  });
  const ofValues = fields.flatMap(({ collection, field, label, of }): Destination[] => {
    const name = paletteTexts.cleanUpValues(label);
    if (!isTyped || !named(name) || named(label, of)) return [];
    const key = `values ${collection.id} ${field}`;
    const target = { link: valuesLink(collection, field) };
    return [{ key, Icon: FilterIcon, name, aside: of, target }];
  });
  const ofPages = pages.map((page) => ({
    key: `page ${page.to}`,
    Icon: page.Icon,
    name: page.name,
    aside: administrationTexts.administration,
    target: { link: pageLink(page) },
  }));
  const overview = {
    key: 'overview',
    Icon: GoOnIcon,
    name: texts.overview,
    aside: paletteTexts.command,
    target: { link: overviewLink() },
  };
  const ofCommands = COMMANDS.map(({ command, name }) => ({
    key: `command ${command}`,
    Icon: GoOnIcon,
    name,
    aside: paletteTexts.command,
    target: { command },
  }));
  return [
    ...revisions,
    ...ofArchives,
    ...ofTables,
    ...ofViews,
    ...ofFigures,
    ...found,
    ...ofQueues,
    ...ofReviews,
    ...ofValues,
    ...[...ofPages, overview, ...ofCommands].filter(({ name }) => isTyped && named(name)),
  ];
}
