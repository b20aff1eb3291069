import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/designer.ts';
import type { FieldUse } from '#shared/contract/field-uses.ts';
import { summary } from '#web/api/failure.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { fieldUsesQuery } from './definitions.queries.ts';
import classes from './definitions.module.css';

interface FieldUsesProps {
  readonly kind: CollectionKind;
  readonly id: string;
  /** of the definition */
  readonly version: number;
  /** the field's name at the service */
  readonly field: string;
}

/** What depends on the field: it loses it when the field is retired, and regains it when it is restored. */
export function FieldUses({ kind, id, version, field }: FieldUsesProps) {
  const { data, error } = useQuery(fieldUsesQuery(kind, id, version, field));
  if (error) return <p className={classes.muted}>{summary(error.failure)}</p>;
  if (!data) return null;
  if (data.length === 0) return <p className={classes.muted}>{texts.notUsed}</p>;
  return (
    <div>
      <p className={classes.muted}>{texts.usedIn}</p>
      <ul className={classes.uses}>
        {data.map((use) => (
          <li key={`${use.kind} ${use.name} ${use.of ?? ''}`}>{textOf(use)}</li>
        ))}
      </ul>
    </div>
  );
}

function textOf({ kind, name, of }: FieldUse): string {
  return of === null ? texts.uses[kind](name) : texts.useOf({ use: texts.uses[kind](name), of });
}
