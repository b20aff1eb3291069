import * as definitionTexts from '#messages/definitions.ts';
import * as texts from '#messages/load-data.ts';
import type { Path, UseFormReturn } from 'react-hook-form';
import type { SheetAnalysis } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import { NAME_PATTERN } from '#shared/rules/names.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { z } from '#web/ui/form/form-schema.ts';
import { type ColumnDraft, nameProblems, TARGET_KINDS, resolveColumns } from './column-draft.ts';

const valuesSchema = z.object({
  kind: z.enum(TARGET_KINDS),
  /** of a new archive or table */
  label: z.string(),
  name: z.string(),
  /** the existing one; null: none is chosen yet */
  collection: z.nullable(z.object({ kind: z.enum(['archive', 'table']), id: z.string() })),
  columns: z.array(z.custom<ColumnDraft>()),
});

/** Where the rows of a file go, and as what: one draft for each of its columns. */
export type LoadValues = z.infer<typeof valuesSchema>;

/** Before a file was read. */
export const NO_VALUES: LoadValues = {
  kind: 'archive',
  label: '',
  name: '',
  collection: null,
  columns: [],
};

/** The values that are proposed for a file. */
export function proposedValues({ columns, proposed }: SheetAnalysis): LoadValues {
  return {
    ...NO_VALUES,
    label: proposed.archive?.name ?? '',
    name: proposed.archive?.table ?? '',
    columns: proposedDrafts({ columns }),
  };
}

/** A column is loaded if it contains anything. */
export function proposedDrafts({ columns }: Pick<SheetAnalysis, 'columns'>): ColumnDraft[] {
  return columns.map(({ name }) => ({ isIncluded: name !== null, overrides: {} }));
}

/**
 * Directs the rows into the archive or table that was created for them: if they are refused, the next attempt must not
 * create another one.
 * @param columns as what the columns of the file were created
 */
export function directIntoCreated(
  form: UseFormReturn<LoadValues>,
  collection: CollectionRef,
  columns: readonly ImportColumn[],
): void {
  const touched = { shouldDirty: true };
  const drafts = form.getValues('columns');
  form.setValue('kind', 'existing', touched);
  form.setValue('collection', collection, touched);
  form.setValue(
    'columns',
    drafts.map((draft, at) => ({ ...draft, mapping: columns[at] ?? { as: 'nothing' } })),
    touched,
  );
}

/** Checks the names of a new archive or table. @param analysis null: the file was not read */
export function loadSchemaOf(analysis: SheetAnalysis | null) {
  return valuesSchema.check(({ value, issues }) => {
    const { kind, label, name, columns } = value;
    if (kind === 'existing' || !analysis) return;
    const refuse = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message });
    if (label.trim() === '') refuse(['label'], texts.titleMissing);
    if (!NAME_PATTERN.test(name)) refuse(['name'], definitionTexts.nameInvalid);
    for (const [at, problem] of nameProblems(resolveColumns(analysis, columns))) {
      refuse(['columns', at], problem);
    }
  });
}

/** The form field that shows an error of the service about a new definition or a mapping; undefined: none. */
export function fieldAtPath(
  { kind, columns }: Pick<LoadValues, 'kind' | 'columns'>,
  path: string,
): Path<LoadValues> | undefined {
  const [first = '', index] = path.replace(/^(?:archive|table)\./, '').split('.');
  switch (first) {
    case 'table':
      return 'name';
    case 'name':
      return kind === 'archive' ? 'label' : 'name';
    case 'label':
      return 'label';
    case 'indexFields':
    case 'columns': {
      // A new definition has only the columns that are included, a mapping has all of them.
      const sent = columns.flatMap(({ isIncluded }, at) =>
        isIncluded || kind === 'existing' ? [at] : [],
      );
      const at = sent[Number(index)];
      return at === undefined ? undefined : `columns.${at}`;
    }
    default:
      return undefined;
  }
}
