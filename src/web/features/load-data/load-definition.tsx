import * as texts from '#messages/load-data.ts';
import { useState } from 'react';
import type { DefinitionAnalysis } from '#shared/contract/file-analysis.ts';
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

/** Creates the archives and tables of a definition file. */
export function LoadDefinition({ analysis, onCreated }: LoadDefinitionProps) {
  const { archives, tables, ignored } = analysis;
  const create = useCreateFromFile();
  /** the number of created ones; after a failure the next one is retried */
  const [done, setDone] = useState(0);
  const all: readonly NewDefinition[] = [
    ...tables.map((table) => ({ table })),
    ...archives.map((archive) => ({ archive })),
  ];
  const createAll = async () => {
    for (const [i, definition] of all.slice(done).entries()) {
      await create.mutateAsync(definition);
      setDone(done + i + 1);
    }
    onCreated();
  };
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
      {create.error && <ErrorPanel error={create.error} title={texts.notCreated} />}
      <div className={classes.submit}>
        <Button
          loading={create.isPending}
          disabled={all.length === done}
          onClick={() => void createAll().catch(() => undefined)}
        >
          {texts.createAll(all.length - done)}
        </Button>
      </div>
    </section>
  );
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
