import * as texts from '#messages/load-data.ts';
import { useRef, useState } from 'react';
import type { ColumnOverrides, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { type FileFormat, usePlanImport } from '#web/api/file-imports.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import {
  type ColumnDraft,
  definitionFor,
  draftOf,
  importIntoExisting,
  importIntoNew,
  mappingsTo,
  nameProblems,
  needsReading,
  wantedColumns,
} from './draft.ts';
import { ExistingColumns } from './existing-columns.tsx';
import { type LoadTarget, LoadTargetSection } from './load-target.tsx';
import { useCreateFromFile } from './load-data.mutations.ts';
import { NewColumns } from './new-columns.tsx';
import { useBulkTarget } from './use-bulk-target.ts';
import shared from '#web/ui/shared.module.css';
import classes from './load-data.module.css';

/** Planned rows, to be applied or discarded. */
export interface PlannedRows {
  readonly collection: CollectionRef;
  readonly bulkEditId: string;
  /** for rejected rows that are sent again */
  readonly columns: readonly ImportColumn[];
}

/** An archive without documents yet, and the file with their index data. */
export interface CreatedForDocuments {
  readonly table: string;
  readonly file: File;
  readonly format: FileFormat;
  readonly overrides: readonly ColumnOverrides[];
  /** by column: the name of its index field; null: none */
  readonly fieldNames: readonly (string | null)[];
}

interface LoadSheetProps {
  readonly username: string;
  readonly file: File;
  readonly format: FileFormat;
  readonly analysis: SheetAnalysis;
  /** false: the file is being read with other properties, or could not be read with them */
  readonly isCurrent: boolean;
  /** by column; empty: as detected */
  readonly drafts: readonly ColumnDraft[];
  readonly onDrafts: (drafts: readonly ColumnDraft[]) => void;
  /** the user has changed where the rows go */
  readonly onTarget: () => void;
  /** the file must be read again with these */
  readonly onRead: (drafts: readonly ColumnDraft[]) => void;
  readonly onPlanned: (rows: PlannedRows) => void;
  readonly onCreatedForDocuments: (created: CreatedForDocuments) => void;
}

/** The target of a spreadsheet's rows, and their columns. */
export function LoadSheet(props: LoadSheetProps) {
  const { username, file, format, analysis, isCurrent, drafts, onDrafts, onRead } = props;
  const { onTarget, onPlanned, onCreatedForDocuments } = props;
  const { proposed } = analysis;
  const [target, setTarget] = useState<LoadTarget>({
    kind: 'archive',
    label: proposed.archive?.name ?? '',
    name: proposed.archive?.table ?? '',
    collection: null,
  });
  const { kind, collection } = target;
  const existing = useBulkTarget(username, kind === 'existing' ? collection : null);
  const create = useCreateFromFile();
  const plan = usePlanImport();
  const columns = wantedColumns(analysis, drafts);
  const mappings = existing.target ? mappingsTo(existing.target, analysis, drafts) : [];
  const problems = nameProblems(columns);
  const isReady =
    isCurrent &&
    (kind === 'existing'
      ? mappings.some(({ as }) => as !== 'nothing')
      : columns.some(({ isIncluded }) => isIncluded));
  const targetSection = useRef<HTMLElement>(null);
  const columnsSection = useRef<HTMLElement>(null);
  /** Moves the focus to the first input that is refused. @returns whether there is one */
  const showProblem = () => {
    if (kind === 'existing') return false;
    const refused = [targetSection, columnsSection].flatMap(
      ({ current }) => current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? [],
    );
    refused[0]?.focus();
    return refused.length > 0;
  };

  const allDrafts = analysis.columns.map((column, at) => draftOf(column, drafts, at));
  const change = (at: number, next: Partial<ColumnDraft>) => {
    const all = allDrafts.map((draft, i) => {
      if (i !== at) return draft;
      return { ...draft, ...next, overrides: { ...draft.overrides, ...next.overrides } };
    });
    onDrafts(all);
    if (next.overrides && needsReading(next.overrides)) onRead(all);
  };
  const written = { ...format, header: String(analysis.format.header) };
  const createForDocuments = async () => {
    if (showProblem()) return;
    const { id } = await create.mutateAsync(definitionFor('archive', target, columns));
    onCreatedForDocuments({
      table: id,
      file,
      format: written,
      overrides: allDrafts.map(({ overrides }) => overrides),
      fieldNames: columns.map((column) => (column.isIncluded ? column.name : null)),
    });
  };
  const check = async () => {
    if (showProblem()) return;
    const isNew = kind !== 'existing';
    const into = isNew
      ? await create.mutateAsync(definitionFor(kind, target, columns))
      : collection;
    if (!into) return;
    const mapped = isNew ? importIntoNew(columns) : importIntoExisting(analysis.columns, mappings);
    if (isNew) {
      // A created archive or table stays even if the check of its rows fails.
      setTarget((now) => ({ ...now, kind: 'existing', collection: into }));
      onDrafts(
        allDrafts.map((draft, at) => ({ ...draft, mapping: mapped[at] ?? { as: 'nothing' } })),
      );
    }
    const { bulkEditId } = await plan.mutateAsync({
      collection: into,
      file,
      format: written,
      columns: mapped,
      mode: 'create',
      key: null,
    });
    onPlanned({ collection: into, columns: mapped, bulkEditId });
  };

  return (
    <>
      <LoadTargetSection
        ref={targetSection}
        username={username}
        target={target}
        onChange={(next) => {
          setTarget(next);
          onTarget();
        }}
      />
      <section className={classes.section} ref={columnsSection}>
        <h2 className={shared.heading}>{texts.columns}</h2>
        {kind !== 'existing' && (
          <NewColumns
            kind={kind}
            columns={columns}
            problems={problems}
            onInclude={(at, isIncluded) => change(at, { isIncluded })}
            onChange={(at, overrides) => change(at, { overrides })}
          />
        )}
        {kind === 'existing' && existing.target && (
          <ExistingColumns
            target={existing.target}
            columns={analysis.columns}
            mappings={mappings}
            onMap={(at, mapping) => change(at, { mapping })}
            onChange={(at, overrides) => change(at, { overrides })}
          />
        )}
        {kind === 'existing' && collection && !existing.target && (
          <QueryPending query={existing} title={texts.targetsNotRead} />
        )}
      </section>
      {create.error && (
        <ErrorPanel error={create.error} title={texts.notCreated} pathLabel={pathLabel} />
      )}
      {plan.error && <ErrorPanel error={plan.error} title={texts.notPlanned} />}
      <div className={classes.submit}>
        <Button
          loading={create.isPending || plan.isPending}
          disabled={!isReady}
          onClick={() => void check().catch(() => undefined)}
        >
          {texts.createAndCheck[kind]}
        </Button>
        {kind === 'archive' && (
          <Button
            variant="default"
            disabled={!isReady || create.isPending || plan.isPending}
            onClick={() => void createForDocuments().catch(() => undefined)}
          >
            {texts.createForDocuments}
          </Button>
        )}
        <span className={shared.muted}>
          {kind === 'archive' ? texts.withOrWithoutFiles : texts.nothingIsLoaded}
        </span>
      </div>
    </>
  );
}

/** The name of the archive or table is an input of this page. */
function pathLabel(path: string): string | undefined {
  return path === 'table' || path === 'name' ? texts.name : undefined;
}
