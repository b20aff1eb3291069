import * as texts from '#messages/palette.ts';
import { Modal } from '@mantine/core';
import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { namedCollections } from '#web/api/named-collections.ts';
import { openQueuesQuery } from '#web/api/queues.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { OptionList } from '#web/ui/combobox/option-list.tsx';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import { useColourScheme } from '#web/ui/colour-scheme.ts';
import { ADMINISTRATION_LINKS } from './administration-links.ts';
import { type Destination, destinationsFor, type ViewsOfCollection } from './destinations.ts';
import {
  recordsFoundQuery,
  revisionsFoundQuery,
  MIN_SEARCH_LENGTH,
} from './found-values.queries.ts';
import classes from './palette.module.css';
import { useTextFields } from './use-text-fields.ts';
import { useSignOut } from './session.mutations.ts';

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSignedOut: () => void;
}

/** Opens any archive, table, revision or record with a few keys, and runs commands. */
export function Palette({ opened, onClose, onSignedOut }: PaletteProps) {
  // Another page takes the focus.
  const [leaving, setLeaving] = useState(false);
  if (opened && leaving) setLeaving(false);
  return (
    <Modal.Root
      opened={opened}
      returnFocus={!leaving}
      onClose={onClose}
      size={560}
      padding={0}
      yOffset="14vh"
      lockScroll={false}
      transitionProps={{ duration: 60, exitDuration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={texts.goTo}>
        <Modal.Body>
          <PaletteList
            onChosen={(leaves) => {
              setLeaving(leaves);
              onClose();
            }}
            onSignedOut={onSignedOut}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface PaletteListProps {
  /** @param leaves whether another page opens, which takes the focus */
  readonly onChosen: (leaves: boolean) => void;
  readonly onSignedOut: () => void;
}

function PaletteList({ onChosen, onSignedOut }: PaletteListProps) {
  const { username, role } = useSession();
  const navigate = useNavigate();
  const archives = useQuery(archivesQuery(username)).data ?? [];
  const tables = useQuery(tablesQuery).data ?? [];
  const queues = useQuery(openQueuesQuery(username)).data ?? [];
  const [typed, setTyped] = useState('');
  const found = useFoundValues(typed.trim(), archives, tables);
  const lists = useSavedViews(typed.trim() !== '', archives, tables);
  const pages = role === 'administrator' ? ADMINISTRATION_LINKS : [];
  const fields = useTextFields();
  const destinations = destinationsFor(typed, {
    archives,
    tables,
    queues,
    found,
    lists,
    pages,
    fields,
  });

  const signOut = useSignOut(onSignedOut);
  const [, chooseColours] = useColourScheme();
  const choose = ({ target }: Destination) => {
    onChosen('link' in target);
    if ('link' in target) void navigate(target.link);
    else if (target.command === 'sign-out') signOut();
    else chooseColours(target.command);
  };
  const list = useCombobox({
    options: destinations,
    keyOf,
    isOpen: true,
    first: 0,
    onChoose: choose,
  });

  return (
    <>
      <input
        {...list.inputProps}
        // Escape closes the palette.
        data-mantine-stop-propagation={undefined}
        data-autofocus
        aria-label={texts.goToPlaceholder}
        spellCheck={false}
        placeholder={texts.goToPlaceholder}
        className={classes.input}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          list.reset();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') list.onKeyDown(event);
        }}
      />
      <OptionList
        combobox={list}
        options={destinations}
        keyOf={keyOf}
        label={texts.destinations}
        className={classes.list}
      >
        {(destination) => (
          <div
            className={classes.option}
            onMouseMove={() => list.activate(destinations.indexOf(destination))}
          >
            <destination.Icon />
            <span className={classes.name}>{destination.name}</span>
            <span className={classes.aside}>{destination.aside}</span>
          </div>
        )}
      </OptionList>
      {destinations.length === 0 && <p className={classes.none}>{texts.noResults}</p>}
    </>
  );
}

const keyOf = ({ key }: Destination) => key;

/** Values of first fields that contain the typed text, as far as they are loaded. */
function useFoundValues(
  typed: string,
  archives: readonly ArchiveSummary[],
  tables: readonly TableSummary[],
): readonly Destination[] {
  const { username } = useSession();
  const client = useQueryClient();
  const enabled = typed.length >= MIN_SEARCH_LENGTH;
  return useQueries({
    queries: [
      ...archives.map((archive) => ({
        ...revisionsFoundQuery(client, username, archive, typed),
        enabled,
      })),
      ...tables.map((table) => ({ ...recordsFoundQuery(client, table, typed), enabled })),
    ],
    combine: combineFound,
  });
}

function combineFound(results: readonly UseQueryResult<Destination[]>[]): readonly Destination[] {
  return results.flatMap(({ data }) => data ?? []);
}

/** The saved views of all archives and tables, as far as they are loaded. */
function useSavedViews(
  enabled: boolean,
  archives: readonly ArchiveSummary[],
  tables: readonly TableSummary[],
): readonly ViewsOfCollection[] {
  const collections = namedCollections(archives, tables);
  const views = useQueries({
    queries: collections.map(({ collection }) => ({ ...viewsQuery(collection), enabled })),
  });
  return collections.map((of, at) => ({ ...of, views: views[at]?.data ?? [] }));
}
