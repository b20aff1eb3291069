import { Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useForm, useWatch } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import type { AnsweredPlan } from '#shared/contract/configuration-definitions.ts';
import { listLink } from '#web/api/list-link.ts';
import { writeListView } from '#web/api/list-view.ts';
import { propertyLabel } from '#web/fields/history/setting-texts.ts';
import { StructureChangeItems } from '#web/fields/history/structure-change.tsx';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckboxField } from '#web/ui/form/form-fields.tsx';
import type { CollectionDefinition, FieldDefinition } from './collection-definition.ts';
import type { DefinitionBody, DefinitionValues } from './definition-form.ts';
import { useChangeDefinition, useFindMisfits } from './definitions.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

type PlannedChange = AnsweredPlan['changes'][number];

/**
 * Opens the records whose values do not fit.
 * @param fields those whose values do not fit, as they are called now
 */
export type CorrectMisfits = (ids: readonly string[], fields: readonly MisfitField[]) => void;

type MisfitField = Pick<FieldDefinition, 'name' | 'label'>;

interface PlanDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly definition: CollectionDefinition;
  readonly etag: string | null;
  readonly plan: AnsweredPlan;
  readonly body: DefinitionBody;
  /** what the user has typed into the designer */
  readonly typed: () => DefinitionValues;
  /** opens records to correct them */
  readonly onCorrect: CorrectMisfits;
}

/** The effect of a change: what is added, changed, renamed and retired, and which stored values violate it. */
export function PlanDialog({ opened, onClose, ...rest }: PlanDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.planTitle} size={640}>
      <PlanForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function PlanForm(props: Omit<PlanDialogProps, 'opened'>) {
  const { onClose, definition, etag, plan, body, typed, onCorrect } = props;
  const form = useForm({ defaultValues: { keepsMisfits: false } });
  const keepsMisfits = useWatch({ control: form.control, name: 'keepsMisfits' });
  const { changes, safe } = plan;
  const kept = keptMisfits(plan, body);
  return (
    <Form
      form={form}
      mutation={useChangeDefinition(definition, typed)}
      toBody={(values) => ({ etag, body, keepsMisfits: values.keepsMisfits })}
      onDone={onClose}
      onCancel={onClose}
      errorTitle={texts.notApplied}
      pathLabel={(path) => labelOf(definition, path.split('.')[1])}
      submit={{ label: texts.apply, disabled: changes.length === 0 || (!safe && !keepsMisfits) }}
    >
      {changes.length === 0 && <p>{texts.noChanges}</p>}
      <ul className={classes.changes}>
        {changes.map((change) => (
          <Change
            key={`${change.kind} ${change.field ?? ''}`}
            change={change}
            definition={definition}
            values={changedValues(definition, body, typed(), change)}
            formerName={savedNameOf(typed(), change)}
          />
        ))}
      </ul>
      {changes.length > 0 && safe && <p className={shared.note}>{texts.safe}</p>}
      {!safe && (
        <Correct
          definition={definition}
          body={body}
          onFound={(ids) => onCorrect(ids, misfitFields(definition, typed().fields, changes))}
        />
      )}
      {!safe && kept.length === 0 && <p className={shared.wrong}>{texts.mustBeUnique}</p>}
      {kept.length > 0 && (
        <CheckboxField
          control={form.control}
          name="keepsMisfits"
          label={texts.keepMisfits}
          description={kept.join(' ')}
        />
      )}
    </Form>
  );
}

/** What becomes of values that do not fit if a plan is applied all the same; empty: it cannot be, or all values fit. */
function keptMisfits({ changes }: AnsweredPlan, body: DefinitionBody): string[] {
  const broken = changes.filter(({ misfits }) => misfits > 0);
  const isConverted = ({ properties }: PlannedChange) => properties.includes('type');
  const columns = 'table' in body ? body.table.columns : [];
  const unique = new Set(
    columns.flatMap((column) => ('unique' in column && column.unique ? column.name : [])),
  );
  const mustBeUnique = broken.some(
    (change) =>
      // Columns that are unique together.
      change.field === null ||
      (unique.has(change.field) && (isConverted(change) || change.properties.includes('unique'))),
  );
  if (mustBeUnique) return [];
  return [
    ...(broken.some(isConverted) ? [texts.keptInRetiredField] : []),
    ...(broken.every(isConverted) ? [] : [texts.keptAsTheyAre]),
  ];
}

interface CorrectProps {
  readonly definition: CollectionDefinition;
  readonly body: DefinitionBody;
  readonly onFound: (ids: readonly string[]) => void;
}

/** Opens all records with violations: revisions in a queue, records in their table. */
function Correct({ definition, body, onFound }: CorrectProps) {
  const { kind } = definition;
  const { mutate, isPending } = useFindMisfits(definition, onFound);
  return (
    <div>
      <Button variant="default" loading={isPending} onClick={() => mutate(body)}>
        {texts.correctMisfits[kind]}
      </Button>
      <p className={`${shared.note} ${classes.below}`}>{texts.correctMisfitsHint[kind]}</p>
    </div>
  );
}

/** @param designed the changed fields, by whose new names the plan calls them */
function misfitFields(
  { fields }: CollectionDefinition,
  designed: DefinitionValues['fields'],
  changes: readonly PlannedChange[],
): MisfitField[] {
  const names = new Set(changes.flatMap(({ field, misfits }) => (misfits > 0 ? field : [])));
  const saved = designed.flatMap(({ name, savedName }) => (names.has(name) ? savedName : []));
  return fields.filter(({ name }) => saved.includes(name));
}

/** The name that a renamed field has until now; null: it is not renamed. */
function savedNameOf({ fields }: DefinitionValues, { kind, field }: PlannedChange): string | null {
  if (kind !== 'rename') return null;
  return fields.find(({ name }) => name === field)?.savedName ?? null;
}

/** A property of a field, as it is stored and as it is planned. */
interface ChangedValue {
  readonly property: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changed properties of an index field or column whose values can be compared; its name is shown elsewhere. */
function changedValues(
  definition: CollectionDefinition,
  body: DefinitionBody,
  { fields }: DefinitionValues,
  { field, properties }: PlannedChange,
): ChangedValue[] {
  const planned = 'table' in body ? body.table.columns : body.archive.indexFields;
  const savedName = fields.find(({ name }) => name === field)?.savedName;
  const [after] = planned.filter(({ name }) => name === field);
  const [before] = definition.fields.filter(({ name }) => name === savedName);
  if (!before || !after) return [];
  const [ofBefore, ofAfter] = [before, after].map((one) => new Map(Object.entries(one)));
  return properties.flatMap((property) => {
    const values = [ofBefore?.get(property) ?? null, ofAfter?.get(property) ?? null] as const;
    const isKnown = property !== 'name' && JSON.stringify(values[0]) !== JSON.stringify(values[1]);
    return isKnown ? { property, before: values[0], after: values[1] } : [];
  });
}

function labelOf(
  { fields, keywordFields }: CollectionDefinition,
  field: string | undefined,
): string | undefined {
  return [...fields, ...keywordFields].find(({ name }) => name === field)?.label;
}

interface ChangeProps {
  readonly change: PlannedChange;
  readonly definition: CollectionDefinition;
  readonly values: readonly ChangedValue[];
  /** of a renamed field */
  readonly formerName: string | null;
}

function Change({ change, definition, values, formerName }: ChangeProps) {
  const { kind, field, properties, affected, misfits, examples } = change;
  const { kind: collection, id } = definition;
  const named = properties.filter((name) => !values.some(({ property }) => property === name));
  const key = collection === 'archive' ? 'revisionId' : 'jrid';
  const ids = examples.map((example) => example.id).join(',');
  return (
    <li className={classes.change} data-misfits={misfits > 0 || undefined}>
      <b>{field ?? definition.label}</b>{' '}
      <span>{formerName === null ? texts.changeKinds[kind] : texts.renamedFrom(formerName)}</span>
      {named.length > 0 && (
        <span className={shared.note}>{texts.properties(named.map(propertyLabel).join(', '))}</span>
      )}
      {values.length > 0 && (
        <ul className={classes.examples}>
          {values.map(({ property, before, after }) => (
            <StructureChangeItems
              key={property}
              label={propertyLabel(property)}
              property={property}
              before={before}
              after={after}
            />
          ))}
        </ul>
      )}
      {affected > 0 && <span className={shared.note}>{texts.affected(affected)}</span>}
      {misfits > 0 && (
        <>
          <span className={shared.wrong}>{texts.misfits(misfits)}</span>
          <ul className={classes.examples}>
            {examples.slice(0, 5).map((example) => (
              <li key={example.id}>
                <code>{example.id}</code> {String(example.value)}
              </li>
            ))}
          </ul>
          <Link
            {...listLink(
              { kind: collection, id },
              writeListView({ where: [{ field: key, op: 'in', value: ids }] }),
            )}
          >
            {texts.openMisfits(examples.length < misfits ? examples.length : null)}
          </Link>
        </>
      )}
    </li>
  );
}
