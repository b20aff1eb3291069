import { isSameJson } from '#server/lib/same-json.ts';
import * as texts from '#messages/service/definitions.ts';
import type { RequestedDefinition } from '#shared/contract/configuration-bodies.ts';
import { isSameName } from '#shared/rules/names.ts';
import { DefinitionRenames, unchangedParts } from './definition-renames.ts';
import { FieldsPlanner } from './fields-planner.ts';
import { nameProblems, optionProblems } from '../definitions/name-problems.ts';
import type { PlannedChange, PlanProblems } from './planned-change.ts';
import { activeOf, type DefinitionState } from '../definitions/definition-state.ts';

export interface DefinitionPlan {
  readonly before: DefinitionState;
  /** the new definition */
  readonly after: DefinitionState;
  readonly changes: readonly PlannedChange[];
  /** the parts of checks that are unchanged, except for the names of fields: `checks.SUM.rule` */
  readonly unchangedParts: ReadonlySet<string>;
}

export function isPlan(planned: DefinitionPlan | PlanProblems): planned is DefinitionPlan {
  return 'after' in planned;
}

interface PlanOptions {
  /** milliseconds since 1970 UTC */
  readonly now: number;
  /** whether violations are accepted; the converted fields are then kept as retired */
  readonly keepsMisfits: boolean;
}

/**
 * Compares a definition with the requested one (docs/interface/administration.md, section 1). Fields are identified by
 * their previous names, so that two of them can be swapped.
 */
export function planDefinition(
  before: DefinitionState,
  wanted: RequestedDefinition,
  { now, keepsMisfits }: PlanOptions,
): DefinitionPlan | PlanProblems {
  const problems: PlanProblems = { invalid: {}, taken: {} };
  const planner = new FieldsPlanner(before, problems, now, keepsMisfits);
  const fields = planner.plan('fields', before.fields, wanted.fields, wanted.retiredBefore);
  const keywordFields = planner.plan('keywordFields', before.keywordFields, wanted.keywordFields);
  if (wanted.guid !== null && !isSameName(wanted.guid, before.guid)) {
    problems.invalid['guid'] = [texts.guidStays];
  }
  const renames = new DefinitionRenames(before, wanted);
  const followed = renames.previousChecksRenamed();
  const after: DefinitionState = {
    ...before,
    name: wanted.name,
    label: wanted.label,
    description: wanted.description,
    uniqueTogether: renames.uniqueTogether(),
    checks: renames.checks(),
    checksOff: wanted.checksOff ?? before.checksOff,
    fields: fields.map((field) => renames.lookup(field)),
    keywordFields,
    nextNumber: planner.nextNumber,
    version: before.version + 1,
  };
  const known = before.fields.map(({ field }) => field.name);
  Object.assign(problems.invalid, nameProblems(after, known), optionProblems(after, before.fields));
  if (Object.keys({ ...problems.invalid, ...problems.taken }).length > 0) return problems;
  return {
    before,
    after,
    changes: [...collectionChanges({ ...before, checks: followed }, after), ...planner.changes],
    unchangedParts: unchangedParts(followed, after.checks),
  };
}

function collectionChanges(before: DefinitionState, after: DefinitionState): PlannedChange[] {
  const whole = { field: null, number: null, touchesValues: false, check: null };
  const changes: PlannedChange[] = [];
  const isArchive = before.kind === 'archive';
  if (before.name !== after.name) {
    changes.push({ ...whole, kind: 'rename', properties: [isArchive ? 'table' : 'name'] });
  }
  const described = [
    ...(before.label === after.label ? [] : [isArchive ? 'name' : 'label']),
    ...(before.description === after.description ? [] : ['description']),
  ];
  const ofChecks = checksChanged(before, after);
  if (ofChecks === 'describe') described.push('checks');
  if (described.length > 0) changes.push({ ...whole, kind: 'describe', properties: described });
  const changed = [
    ...(ofChecks === 'change' ? ['checks'] : []),
    ...(isSameJson(before.checksOff, after.checksOff) ? [] : ['checksOff']),
  ];
  if (changed.length > 0) changes.push({ ...whole, kind: 'change', properties: changed });
  const groups = groupsOf(before);
  const added = groupsOf(after).filter((group) => !groups.some((old) => isSameGroup(old, group)));
  for (const numbers of added) {
    const check = {
      kind: 'uniqueTogether',
      numbers,
      before: numbers.map((number) => numberBefore(before, after, number)),
    } as const;
    changes.push({ ...whole, kind: 'change', properties: ['uniqueTogether'], check });
  }
  if (added.length === 0 && groups.length !== groupsOf(after).length) {
    changes.push({ ...whole, kind: 'change', properties: ['uniqueTogether'] });
  }
  return changes;
}

/** Whether checks are only renamed, or find or highlight other records; null: unchanged. */
function checksChanged(
  before: DefinitionState,
  after: DefinitionState,
): 'describe' | 'change' | null {
  if (isSameJson(before.checks, after.checks)) return null;
  const withoutLabels = (checks: DefinitionState['checks']) =>
    checks.map((check) => ({ ...check, label: '' }));
  return isSameJson(withoutLabels(before.checks), withoutLabels(after.checks))
    ? 'describe'
    : 'change';
}

/** The columns that are unique together, by their numbers. */
function groupsOf({ fields, uniqueTogether }: DefinitionState): number[][] {
  const active = activeOf(fields);
  return uniqueTogether.map((names) =>
    names.flatMap((name) => active.find(({ field }) => isSameName(field.name, name))?.number ?? []),
  );
}

/** The number before a change of a field after it; null: the field is new. */
function numberBefore(
  before: DefinitionState,
  after: DefinitionState,
  number: number,
): number | null {
  if (before.fields.some((field) => field.number === number)) return number;
  return after.fields.find((field) => field.number === number)?.conversion?.from ?? null;
}

function isSameGroup(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number) => other.includes(number));
}
