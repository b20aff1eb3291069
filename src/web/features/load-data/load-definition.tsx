import * as texts from '#messages/load-data.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefinitionAnalysis } from '#shared/contract/file-analysis.ts';
import { toFailure } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { type NewDefinition, useCreateFromFile } from './load-data.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './load-data.module.css';

interface LoadDefinitionProps {
  readonly analysis: DefinitionAnalysis;
  /** all archives and tables of the file are created */
  readonly onCreated: () => void;
}

interface Failed {
  /** its position: labels may be equal */
  readonly at: number;
  readonly label: string;
  readonly error: unknown;
}

/** Creates the archives and tables of a definition file. */
export function LoadDefinition({ analysis, onCreated }: LoadDefinitionProps) {
  const { archives, tables, ignored } = analysis;
  const create = useCreateFromFile();
  /** the positions of the created ones; the others can be tried again */
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const all: readonly { readonly label: string; readonly definition: NewDefinition }[] = [
    ...tables.map((table) => ({
      label: String(table.label ?? table.name),
      definition: { table },
    })),
    ...archives.map((archive) => ({ label: String(archive.name), definition: { archive } })),
  ];
  const creating = useMutation({
    mutationFn: async () => {
      const failed: Failed[] = [];
      for (const [at, { label, definition }] of all.entries()) {
        if (done.has(at)) continue;
        try {
          await create.mutateAsync(definition);
          setDone((before) => new Set(before).add(at));
        } catch (error) {
          failed.push({ at, label, error });
          // Only what the service refuses leaves the others possible.
          if (toFailure(error).kind !== 'api') break;
        }
      }
      return failed;
    },
  });
  const hasContent = Object.values(ignored).some((count) => count > 0);
  return (
    <section className={classes.section}>
      <h2 className={shared.heading}>{texts.definitionFile}</h2>
      <ul className={classes.found}>
        {archives.map(({ table, name, indexFields }) => (
          <li key={`archive ${String(table)}`}>
            {texts.archiveOfFile({
              label: String(name),
              name: String(table),
              fields: countOf(indexFields),
            })}
          </li>
        ))}
        {tables.map(({ name, label, columns }) => (
          <li key={`table ${String(name)}`}>
            {texts.tableOfFile({
              label: String(label ?? name),
              name: String(name),
              fields: countOf(columns),
            })}
          </li>
        ))}
      </ul>
      {hasContent && <p className={shared.muted}>{texts.ignored}</p>}
      {creating.data?.map(({ at, label, error }) => (
        <ErrorPanel key={at} error={error} title={texts.notCreatedOf(label)} />
      ))}
      <div className={classes.submit}>
        <Button
          writes
          loading={creating.isPending}
          disabled={all.length === done.size}
          onClick={() =>
            // Not called once the page is left.
            creating.mutate(undefined, {
              onSuccess: (failed) => {
                if (failed.length === 0) onCreated();
              },
            })
          }
        >
          {texts.createAll(all.length - done.size)}
        </Button>
      </div>
    </section>
  );
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
