import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/designer.ts';
import type { FieldUse } from '#shared/contract/field-uses.ts';
import { findByName } from '#shared/rules/names.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import { fieldUsesQuery } from './definitions.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

interface FieldUsesProps {
  readonly definition: CollectionDefinition;
  /** the field's name at the service */
  readonly field: string;
}

/** What depends on the field: it loses it when the field is retired, and regains it when it is restored. */
export function FieldUses({ definition, field }: FieldUsesProps) {
  const { kind, id, version } = definition;
  const { data, error } = useQuery(fieldUsesQuery(kind, id, version, field));
  if (error) return <p className={shared.note}>{error.message}</p>;
  if (!data) return null;
  if (data.length === 0) return <p className={shared.note}>{texts.notUsed}</p>;
  return (
    <div>
      <p className={shared.note}>{texts.usedIn}</p>
      <ul className={classes.uses}>
        {data.map((use) => (
          <li key={`${use.kind} ${use.name} ${use.of ?? ''}`}>{textOf(use, definition)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The checks of the definition are named as lists name them. */
function textOf({ kind, name, of }: FieldUse, { checks }: CollectionDefinition): string {
  const check = kind === 'check' && of === null ? findByName(checks, name) : undefined;
  const use = texts.uses[kind](check?.label ?? name);
  return of === null ? use : texts.useOf({ use, of });
}
