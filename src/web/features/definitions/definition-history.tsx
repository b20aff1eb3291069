import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/designer.ts';
import { propertyLabel } from '#web/fields/history/setting-texts.ts';
import { StructureChangeItems } from '#web/fields/history/structure-change.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import { useRevertDefinition } from './definitions.mutations.ts';
import { definitionHistoryQuery } from './definitions.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

interface DefinitionHistoryProps {
  readonly definition: CollectionDefinition;
}

const PARTS: Readonly<Record<CollectionKind, Readonly<Record<string, string>>>> = {
  archive: { table: texts.tableName, name: texts.label, description: texts.description },
  table: { name: texts.tableName, label: texts.label, description: texts.description },
};

/** What a change is about, in words: a field or check by its name. */
function changedPart(kind: CollectionKind, name: string): string {
  const [part = name, ...element] = name.split('.');
  return element.length > 0 ? element.join('.') : (PARTS[kind][part] ?? propertyLabel(part));
}

/** The changes of a definition, newest first; each can be reverted. */
export function DefinitionHistory({ definition }: DefinitionHistoryProps) {
  const { kind, id } = definition;
  const { data, error, refetch } = useQuery(definitionHistoryQuery(kind, id));
  const { mutate, isPending, variables } = useRevertDefinition(definition);
  return (
    <section className={classes.section}>
      <h2 className={shared.quietHeading}>{texts.history}</h2>
      <QueryError query={{ error, refetch }} title={texts.historyNotRead} />
      {data?.length === 0 && <p className={shared.note}>{texts.historyEmpty}</p>}
      <ol className={classes.history}>
        {data?.map(({ historyId, at, user, changes }) => {
          const when = localInstant(at);
          const isCreation = changes.some(
            ({ name, before }) => name in PARTS[kind] && before === null,
          );
          return (
            <li key={historyId}>
              <span>{texts.byUser({ when, user })}</span>
              {!isCreation && (
                <Button
                  writes
                  variant="default"
                  size="compact-sm"
                  aria-label={texts.revertOf(when)}
                  loading={isPending && variables === historyId}
                  onClick={() => mutate(historyId)}
                >
                  {texts.revert}
                </Button>
              )}
              <ul>
                {changes.map(({ name, before, after }) => (
                  <StructureChangeItems
                    key={name}
                    label={changedPart(kind, name)}
                    isEntry={name.includes('.')}
                    before={before}
                    after={after}
                  />
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
