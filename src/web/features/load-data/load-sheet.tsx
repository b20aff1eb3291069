import * as texts from '#messages/load-data.ts';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { ColumnOverrides, SheetAnalysis } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import type { FileFormat } from '#web/api/file-imports.ts';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { setServiceErrors } from '#web/ui/form/service-errors.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import {
  definitionFor,
  importIntoExisting,
  importIntoNew,
  mappingsByHeader,
  needsReading,
  resolveColumns,
  withoutMapping,
} from './column-draft.ts';
import { ExistingColumns } from './existing-columns.tsx';
import { type RowsToLoad, useLoadFile } from './load-data.mutations.ts';
import { fieldAtPath, type LoadValues } from './load-form.ts';
import { LoadTargetSection } from './load-target.tsx';
import { NewColumns } from './new-columns.tsx';
import { useBulkTarget } from '#web/api/collections.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './load-data.module.css';

/** Planned rows, to be applied or discarded. */
export interface PlannedRows {
  readonly collection: CollectionRef;
  readonly bulkEditId: string;
  /** for rejected rows that are sent again */
  readonly columns: readonly ImportColumn[];
  /** of the file of the rows */
  readonly fileName: string;
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
  readonly form: UseFormReturn<LoadValues>;
  readonly file: File;
  readonly format: FileFormat;
  readonly analysis: SheetAnalysis;
  /** false: the file is being read with other properties, or could not be read with them */
  readonly isCurrent: boolean;
  /** whether the values of the form were sent */
  readonly isSent: boolean;
  /** the file must be read again with the column settings of the form */
  readonly onRead: () => void;
  /** the archive or table of the rows is created, before they are checked */
  readonly onCreated: (collection: CollectionRef, columns: readonly ImportColumn[]) => void;
  readonly onPlanned: (rows: PlannedRows) => void;
  readonly onCreatedForDocuments: (created: CreatedForDocuments) => void;
}

/** The target of a spreadsheet's rows, and their columns. */
export function LoadSheet(props: LoadSheetProps) {
  const { form, file, format, analysis, isCurrent, isSent, onRead } = props;
  const { onPlanned, onCreatedForDocuments } = props;
  const { control } = form;
  const [kind, collection] = useWatch({ control, name: ['kind', 'collection'] });
  const existing = useBulkTarget(kind === 'existing' ? collection : null);
  const { target } = existing;
  const mappings = target ? mappingsByHeader(target, analysis) : [];
  const drafted = useWatch({
    control,
    compute: ({ columns }: LoadValues) =>
      columns.map(({ isIncluded, mapping }) => ({ isIncluded, as: mapping?.as })),
  });
  const loadsAny =
    kind === 'existing'
      ? mappings.some(({ as }, at) => (drafted[at]?.as ?? as) !== 'nothing')
      : drafted.some(({ isIncluded }) => isIncluded);
  const loading = useLoadFile(props.onCreated);
  const written = { ...format, header: String(analysis.format.header) };
  const isReady = isCurrent && loadsAny;

  const fieldAt = (path: string) => fieldAtPath(form.getValues(), path);
  const createForDocuments = form.handleSubmit(({ columns: drafts, ...names }) => {
    const columns = resolveColumns(analysis, drafts);
    loading.mutate(
      { into: definitionFor('archive', names, columns), rows: null },
      {
        onSuccess: ({ collection: { id } }) =>
          onCreatedForDocuments({
            table: id,
            file,
            format: written,
            overrides: drafts.map(({ overrides }) => overrides),
            fieldNames: columns.map((column) => (column.isIncluded ? column.name : null)),
          }),
        onError: ({ failure }) => setServiceErrors(form, failure, fieldAt),
      },
    );
  });
  /** Checks all names, as a name is also wrong beside an equal one, and reads the file again where its values differ. */
  const onColumn = (overrides: ColumnOverrides) => {
    void form.trigger();
    if (needsReading(overrides)) onRead();
  };

  return (
    <Form
      form={form}
      mutation={loading}
      toBody={(values) => rowsOf(values, { file, format: written }, analysis, mappings)}
      onDone={({ collection: into, planned }) => {
        if (planned) onPlanned({ collection: into, fileName: file.name, ...planned });
      }}
      fieldAt={fieldAt}
      errorTitle={kind === 'existing' ? texts.notPlanned : texts.notCreated}
      isStored={isSent}
      submit={{ label: texts.createAndCheck[kind], keys: 'mod+Enter', disabled: !isReady }}
      secondary={
        kind === 'archive' && (
          <Button
            writes
            variant="default"
            disabled={!isReady || loading.isPending}
            onClick={() => void createForDocuments()}
          >
            {texts.createForDocuments}
          </Button>
        )
      }
      note={kind === 'archive' ? texts.withOrWithoutFiles : texts.nothingIsLoaded}
    >
      <LoadTargetSection
        control={control}
        onOther={() => {
          const columns = form.getValues('columns').map(withoutMapping);
          form.setValue('columns', columns, { shouldDirty: true });
          form.clearErrors();
        }}
      />
      <section className={classes.section}>
        <h2 className={shared.heading}>{texts.columns}</h2>
        {kind !== 'existing' ? (
          <NewColumns
            control={control}
            kind={kind}
            columns={analysis.columns}
            onChange={onColumn}
          />
        ) : target ? (
          <ExistingColumns
            control={control}
            target={target}
            columns={analysis.columns}
            mappings={mappings}
            onChange={onColumn}
          />
        ) : (
          collection && <QueryPending query={existing} title={texts.targetsNotRead} />
        )}
      </section>
    </Form>
  );
}

/** The rows of the file, and where they go. @param mappings those of columns without an own one */
function rowsOf(
  { kind, collection, columns: drafts, ...names }: LoadValues,
  sent: { readonly file: File; readonly format: FileFormat },
  analysis: SheetAnalysis,
  mappings: readonly ImportColumn[],
): RowsToLoad {
  if (kind !== 'existing') {
    const columns = resolveColumns(analysis, drafts);
    const into = definitionFor(kind, names, columns);
    return { into, rows: { ...sent, columns: importIntoNew(columns) } };
  }
  if (!collection) throw new Error('Rows need an archive or table.');
  const columns = importIntoExisting(analysis.columns, mappings, drafts);
  return { into: collection, rows: { ...sent, columns } };
}
