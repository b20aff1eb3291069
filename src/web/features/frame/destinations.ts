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
import {
  collectionName,
  type NamedCollection,
  namedCollections,
} from '#web/api/named-collections.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { reviewLink } from '#web/api/review-link.ts';
import type { ColourScheme } from '#web/ui/colour-scheme.ts';
import {
  ArchiveIcon,
  DocumentIcon,
  FilterIcon,
  ContinueIcon,
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
  /** its kind or place; '' if the name contains it */
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

/** A typed text, and the terms that are searched for. */
interface DestinationSearch extends DestinationSources {
  readonly collections: readonly NamedCollection[];
  /** the typed text as the number of a revision, if it is a whole number */
  readonly number: string | undefined;
  /** of the typed text, folded */
  readonly words: readonly string[];
  /** whether every word is in one of the names; true without words */
  readonly isNamed: (...names: readonly string[]) => boolean;
  /** @param id the internal name of an archive, or the GUID of a table */
  readonly nameOf: (id: string) => string;
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

/** The revision with the typed number in each archive. */
function revisionDestinations({ archives, number, nameOf }: DestinationSearch): Destination[] {
  if (number === undefined) return [];
  return archives.map(({ table }) => ({
    key: `revision ${table}`,
    Icon: DocumentIcon,
    name: paletteTexts.openRevision({ revisionId: number, of: nameOf(table) }),
    aside: '',
    target: { link: revisionLink(table, number) },
  }));
}

function archiveDestinations({ archives, isNamed, nameOf }: DestinationSearch): Destination[] {
  return archives
    .filter(({ name, table }) => isNamed(name, table))
    .map(({ table, documents }) => ({
      key: `archive ${table}`,
      Icon: ArchiveIcon,
      name: nameOf(table),
      aside: paletteTexts.archiveWith(documents),
      target: { link: listLink({ kind: 'archive', id: table }) },
    }));
}

function tableDestinations({ tables, isNamed, nameOf }: DestinationSearch): Destination[] {
  return tables
    .filter(({ label, name }) => isNamed(label, name))
    .map(({ guid, datasets }) => ({
      key: `table ${guid}`,
      Icon: TableIcon,
      name: nameOf(guid),
      aside: paletteTexts.tableWith(datasets),
      target: { link: listLink({ kind: 'table', id: guid }) },
    }));
}

/** Saved views with at least one of the words in their own name. */
function viewDestinations({ lists, words, isNamed }: DestinationSearch): Destination[] {
  return lists.flatMap(({ collection, name: of, views }) =>
    views
      .filter(({ name }) => isNamed(name, of) && words.some((word) => fold(name).includes(word)))
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
}

/** The figures of an archive or table, for a text with the beginning of the word "figures". */
function figuresDestinations({ collections, words, isNamed }: DestinationSearch): Destination[] {
  const isFigures = (word: string) =>
    word.length > 1 && fold(paletteTexts.figures).startsWith(word);
  if (!words.some(isFigures)) return [];
  return collections
    .map(({ collection, name: of }) => ({
      key: `figures ${collection.kind} ${collection.id}`,
      Icon: WarningIcon,
      name: paletteTexts.figuresOf(of),
      aside: '',
      target: { link: figuresLink(collection) },
    }))
    .filter(({ name }) => isNamed(name));
}

/** Queues to resume. */
function queueDestinations({ queues, isNamed, nameOf }: DestinationSearch): Destination[] {
  return queues
    .map(({ archive, queueId, ...queue }) => ({
      key: `queue ${queueId}`,
      Icon: ContinueIcon,
      name: paletteTexts.resumeQueue(queueText(queue)),
      aside: nameOf(archive),
      target: { link: queueLink(archive, queueId) },
    }))
    .filter(({ name, aside }) => isNamed(name, aside));
}

/** The review of one field, for a text that names more than the archive. */
function reviewDestinations({
  archives,
  words,
  isNamed,
  nameOf,
}: DestinationSearch): Destination[] {
  if (words.length === 0) return [];
  return archives
    .filter(({ table, rights }) => rights !== 'read' && !isNamed(nameOf(table), table))
    .map(({ table }) => ({
      key: `review ${table}`,
      Icon: DocumentIcon,
      name: paletteTexts.reviewIn(nameOf(table)),
      aside: paletteTexts.command,
      target: { link: reviewLink(table, null) },
    }))
    .filter(({ name }) => isNamed(name));
}

/** The values of a text field, for a text that names more than the field. */
function valuesDestinations({ fields, words, isNamed }: DestinationSearch): Destination[] {
  if (words.length === 0) return [];
  return fields
    .filter(({ label, of }) => !isNamed(label, of))
    .map(({ collection, field, label, of }) => ({
      key: `values ${collection.id} ${field}`,
      Icon: FilterIcon,
      name: paletteTexts.cleanUpValues(label),
      aside: of,
      target: { link: valuesLink(collection, field) },
    }))
    .filter(({ name }) => isNamed(name));
}

/** Pages of the administration, the overview and commands, for a typed text only. */
function commandDestinations({ pages, words, isNamed }: DestinationSearch): Destination[] {
  if (words.length === 0) return [];
  const ofPages = pages.map((page) => ({
    key: `page ${page.to}`,
    Icon: page.Icon,
    name: page.name,
    aside: administrationTexts.administration,
    target: { link: pageLink(page) },
  }));
  const overview = {
    key: 'overview',
    Icon: ContinueIcon,
    name: texts.overview,
    aside: paletteTexts.command,
    target: { link: overviewLink() },
  };
  const ofCommands = COMMANDS.map(({ command, name }) => ({
    key: `command ${command}`,
    Icon: ContinueIcon,
    name,
    aside: paletteTexts.command,
    target: { command },
  }));
  return [...ofPages, overview, ...ofCommands].filter(({ name }) => isNamed(name));
}

/**
 * The destinations for a typed text, best match first: a whole number is a revision in each archive; any text is
 * searched in the names, each word separately. Then come saved views with at least one of the words in their own name,
 * the values that were found, queues to resume, and commands; views and commands are offered only for a typed text.
 */
export function destinationsFor(typed: string, sources: DestinationSources): Destination[] {
  const search = searchFor(typed, sources);
  return [
    ...revisionDestinations(search),
    ...archiveDestinations(search),
    ...tableDestinations(search),
    ...viewDestinations(search),
    ...figuresDestinations(search),
    ...sources.found,
    ...queueDestinations(search),
    ...reviewDestinations(search),
    ...valuesDestinations(search),
    ...commandDestinations(search),
  ];
}

function searchFor(typed: string, sources: DestinationSources): DestinationSearch {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const collections = namedCollections(sources.archives, sources.tables);
  return {
    ...sources,
    collections,
    number: /^\s*#?\s*0*([1-9]\d{0,15})\s*$/.exec(typed)?.[1],
    words,
    isNamed: (...names) => {
      const folded = fold(names.join(' '));
      return words.every((word) => folded.includes(word));
    },
    nameOf: (id) => collectionName(collections, id),
  };
}
